# running.sh - JVMs that run, are told what to do (live/Running.java), and are recorded
# meanwhile. Scripts source it behind tap.sh and jdks.sh; $work is their folder, which
# is also that of those that ask, and of the JVMs.
#
# A JVM has a name: NAME.in is what it is told, NAME.out what it says, NAME.err; its
# process is in NAME.pid.

cjfr=$here/cjfr
agent=$here/.libs/libcjfragent.so

# prepare_running TITLE [FILE.java]...: the folder, with the programs in it, and an empty
# one, tmp, for what is temporary. Skips all if there is no agent.
prepare_running()
{
	needs_agent "live: $1"
	work=$here/tests/live/made-$1
	trap 'kill_all; rm -rf "$box" "$work"' EXIT
	rm -rf "$work" && mkdir -p "$work/tmp" || exit 1
	shift
	for source in Running.java Load.java "$@"; do
		printf '%s\n' "$srcdir/tests/live/$source"
	done >"$box/sources"
	"$JDK/bin/javac" -nowarn --release 8 -d "$work" "@$box/sources" 2>"$box/said" ||
		"$JDK/bin/javac" -nowarn -d "$work" "@$box/sources" || exit 1
	unset CJFR_AGENT JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS
	TMPDIR=$work/tmp
	export TMPDIR
}

# choose_jdks VERSION...: lines "VERSION HOME" in $box/jdks: those of these that are
# there; without any, the one that configure found.
choose_jdks()
{
	list_jdks >"$box/all"
	[ $# -gt 0 ] || set -- "$(version_of "$JDK")"
	while read -r version home; do
		case " $* " in *" $version "*) echo "$version $home" ;; esac
	done <"$box/all" >"$box/jdks"
}

# is_there PID: with any thread, and not just as nobody has waited for it.
is_there()
{
	grep -q '^State:	[^ZX]' "/proc/$1/"task/*/status 2>/dev/null
}

# kill_all: all JVMs that were started, and that still run, and who started them.
kill_all()
{
	for file in "$work"/*.pid; do
		# shellcheck disable=SC2046
		[ ! -f "$file" ] || kill -9 $(cat "$file") 2>/dev/null
	done
}

# jvm_below PID: the JVM that this process is, becomes, or has as a descendant.
jvm_below()
{
	for try in $(seq 100); do
		family=$1
		while [ -n "$family" ]; do
			next=
			for one in $family; do
				# With a stack of Java, it is beyond its launcher.
				if grep -q libjvm.so "/proc/$one/maps" 2>/dev/null; then
					echo "$one"
					return
				fi
				next="$next $(cat "/proc/$one/task/$one/children" 2>/dev/null)"
			done
			family=${next# }
			[ -n "$(echo $family)" ] || family=
		done
		sleep 0.1
	done
}

# waits SECONDS COMMAND...: until that succeeds; false if it does not.
waits()
{
	tries=$(($1 * 20))
	shift
	while ! "$@"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.05
	done
}

# run_jvm NAME COMMAND...: of the JDK $version in $home, with a program that is told: the
# process is $jvm.
run_jvm()
{
	name=$1
	shift
	rm -f "$work/$name".*
	: >"$work/$name.in"
	with_jdk "$version" "$home" "$work" "$@" \
		>"$work/$name.out" 2>"$work/$name.err" </dev/null &
	echo $! >"$work/$name.pid"
	jvm=$(jvm_below $!)
	echo "$jvm $!" >"$work/$name.pid"
}

# start_jvm NAME [OPTION]...: java Running, and it is up.
start_jvm()
{
	name=$1
	shift
	run_jvm "$name" java -Xmx128m -XX:+IgnoreUnrecognizedVMOptions \
		-XX:+EnableDynamicAgentLoading "$@" -cp . Running "$name.in"
	tell "$name" calls 1
}

has_said()
{
	[ "$(wc -l <"$work/$1.out")" -ge "$(wc -l <"$work/$1.in")" ]
}

# tell NAME WORDS...: and it is done.
tell()
{
	name=$1
	shift
	echo "$*" >>"$work/$name.in"
	waits 60 has_said "$name" || echo "'$*' was not done"
}

is_gone()
{
	! is_there "$1"
}

# at_end NAME: it is told to end; what is wrong with all that it has said, with how it ends.
at_end()
{
	tell "$1" end
	read -r jvm parent <"$work/$1.pid"
	waits 60 is_gone "$parent" || echo "it does not end"
	diff "$work/$1.in" "$work/$1.out" | head -n 10
	head -n 10 "$work/$1.err"
	rm "$work/$1.pid"
}

# ask VERB...: cjfr record VERB, where the JVM is: leaves status, and what it said in out
# and err of the folder.
ask()
{
	with_jdk "$version" "$home" "$work" timeout -k 5 60 "$cjfr" record "$@" \
		>"$work/out" 2>"$work/err" </dev/null
	status=$?
}

# well VERB...: the same, and what is wrong if that fails.
well()
{
	ask "$@"
	[ $status = 0 ] || { echo "record $*: status $status"; head -n 5 "$work/err"; }
}

# refused PATTERN VERB...: it fails, with a line like that.
refused()
{
	pattern=$1
	shift
	ask "$@"
	[ $status = 1 ] || echo "record $*: status $status"
	grep -Eq -- "$pattern" "$work/err" || {
		echo "record $*: no line is like $pattern, but:"
		head -n 5 "$work/err"
	}
}

# is_whole FILE: one in which verify finds no fault.
is_whole()
{
	"$cjfr" verify "$work/$1" >"$box/verdict" 2>&1 || head -n 10 "$box/verdict"
}

# threads_are FILE NAME...: of threads that were told to start, it has five of each of
# these names, and no others.
threads_are()
{
	file=$1
	shift
	is_whole "$file"
	for name; do
		printf '%s\n' "$name-0" "$name-1" "$name-2" "$name-3" "$name-4"
	done | sort >"$box/wanted"
	"$cjfr" print --events ThreadStart "$work/$file" 2>&1 |
		sed -n 's/^  thread = "\([a-z]*-[0-9]*\)" (.*/\1/p' | sort |
		grep -v '^worker-' | diff "$box/wanted" - >"$box/found" ||
		{ echo "$file, threads:"; head -n 10 "$box/found"; }
}

# calls_are FILE METHOD COUNT: traced calls of it.
calls_are()
{
	is_whole "$1"
	calls=$("$cjfr" print --events MethodTrace "$work/$1" 2>&1 |
		grep -c "^  method = Running\.$2(")
	[ "$calls" = "$3" ] || echo "$1: $calls calls of $2, not $3"
}

# types_are FILE TYPE...: it has events of these types, and of no others but those that
# tell of the recording itself.
types_are()
{
	file=$1
	shift
	printf '%s\n' "$@" | sort >"$box/wanted"
	"$cjfr" summary "$work/$file" 2>&1 |
		awk '/^ (jdk|cjfr)\./ && $2 > 0 { print $1 }' |
		grep -v '^jdk\.\(Metadata\|Check[pP]oint\|Active[RS].*\|DataLoss\)$' |
		sort | diff "$box/wanted" - >"$box/found" ||
		{ echo "$file, types:"; head -n 10 "$box/found"; }
}

is_file()
{
	[ -f "$work/$1" ]
}

# nothing_left: what is temporary is gone.
nothing_left()
{
	[ -z "$(ls -A "$work/tmp")" ]
}

# leaves_nothing: in a moment.
leaves_nothing()
{
	waits 5 nothing_left || ls -A "$work/tmp"
}

# fresh: whatever went wrong before, nothing of it is there any more.
fresh()
{
	rm -f "$work"/*.jfr
	ask check "$jvm" --csv
	[ $status != 0 ] || [ "$(wc -l <"$work/out")" -le 1 ] || ask detach "$jvm"
}
