# loads.sh - recordings of a JVM in which threads write events and count them (live/load.c,
# live/Ends.java), and whether they have all of them. Scripts source it behind tap.sh and
# jdks.sh; $work is their folder.

cjfr=$here/cjfr
load_agent=$here/.libs/libcjfragentload.so

# needs_load NAME: as needs_agent, with that agent.
needs_load()
{
	needs_agent "$1"
	[ -f "$load_agent" ] && return
	skip "$1" "the agent for tests was not built: make check"
	finish
}

# prepare_load: the folder, with what runs in it, and an empty one, tmp, in it.
prepare_load()
{
	rm -rf "$work"
	mkdir -p "$work/tmp" || exit 1
	"$JDK/bin/javac" -nowarn --release 8 -d "$work" "$srcdir/tests/live/Ends.java" \
		2>"$box/said" ||
		"$JDK/bin/javac" -d "$work" "$srcdir/tests/live/Ends.java" || exit 1
	processes_script >"$work/processes"
	one_script >"$work/one"
	unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS
	CJFR_AGENT=$load_agent TMPDIR=$work/tmp
	export CJFR_AGENT TMPDIR cjfr
	jdk25=$(list_jdks | awk '$1 == 25 && $2 != "matrix" { print $2 }')
}

# processes_script: what scripts that run in the folder share.
processes_script()
{
	cat <<-'SCRIPT'
	# is_there PID: with any thread, and not just as nobody has waited for it.
	is_there()
	{
		grep -q '^State:	[^ZX]' "/proc/$1/"task/*/status 2>/dev/null
	}

	# wait_millis COUNT
	wait_millis()
	{
		sleep "$(($1 / 1000)).$(printf %03d $(($1 % 1000)))"
	}

	# end_of PID: waits for it; nobody else may.
	end_of()
	{
		while is_there "$1"; do sleep 0.1; done
	}

	# child_of PID: as soon as there is one.
	child_of()
	{
		child=''
		while is_there "$1" && [ -z "$child" ]; do
			read -r child rest <"/proc/$1/task/$1/children"
		done
		echo "$child"
	}
	SCRIPT
}

# one_script: runs in the folder, with java on PATH: one JVM, and its end.
#
#	$options	of cjfr record
#	$java_options	of java
#	$way $millis	of Ends.java
#	$victims	after $millis (jvm, parent, both) they are killed, or first the parent,
#			then the JVM (orphan); way is wait or spin, with parent return
#	$group		a control group that all are put into
#
# Leaves out, err, status; x.jfr, or what is left in tmp; the counts; those of some time
# ago in counts.before.
one_script()
{
	cat <<-'SCRIPT'
	CJFR_LOAD=$PWD/counts
	export CJFR_LOAD CJFR_LOAD_RATE CJFR_LOAD_SEED CJFR_LOAD_CRASH CJFR_LOAD_DIE \
		CJFR_LOAD_FINISH
	ulimit -c 0
	. ./processes
	[ -z "$group" ] || echo 0 >"$group/cgroup.procs" || exit

	"$cjfr" record --quiet -o x.jfr $options VirtualThreadStart#enabled=true -- \
		java -XX:ErrorFile=hs_err.log $java_options -cp . Ends $way $millis $library \
		>out 2>err &
	parent=$!
	case $victims in
	?*) jvm=$(child_of $parent) ;;
	esac
	case $victims in
	jvm)
		wait_millis "$millis"
		kill -9 "$jvm" ;;
	parent | orphan)
		wait_millis $((millis / 2))
		kill -9 "$parent"
		[ $victims = parent ] || {
			wait_millis $((millis / 2))
			kill -9 "$jvm"
		}
		end_of "$jvm" ;;
	both)
		[ "$millis" -lt 2500 ] || {
			wait_millis $((millis - 1000))
			cp counts counts.before
			millis=1000
		}
		wait_millis "$millis"
		kill -9 "$parent" "$jvm"
		end_of "$jvm" ;;
	esac
	wait "$parent"
	echo $? >status
	SCRIPT
}

# run_one VERSION HOME: that script; all that was left before is gone.
run_one()
{
	rm -rf "$work"/counts* "$work"/x*.jfr* "$work"/tmp "$work"/hs_err.log
	mkdir "$work/tmp"
	echo none >"$work/status"
	export options java_options way millis victims library group \
		CJFR_LOAD_RATE CJFR_LOAD_SEED CJFR_LOAD_CRASH CJFR_LOAD_DIE CJFR_LOAD_FINISH
	with_jdk "$1" "$2" "$work" timeout -k 5 120 sh one 2>"$box/said" </dev/null
}

# memory_group MEGABYTES: makes a control group that may have so much, within ours; its
# folder. Nothing: there cannot be one.
memory_group()
{
	for folder in /sys/fs/cgroup/memory$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup) \
		/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup); do
		made=$folder/cjfr-$$
		mkdir "$made" 2>/dev/null || continue
		# Of the older kind, and of the newer one; what is swapped counts, too.
		for limit in memory.limit_in_bytes memory.memsw.limit_in_bytes memory.max; do
			[ ! -f "$made/$limit" ] || echo "$1M" >"$made/$limit"
		done
		[ ! -f "$made/memory.swap.max" ] || echo 0 >"$made/memory.swap.max"
		if [ -f "$made/memory.max" ] || [ -f "$made/memory.limit_in_bytes" ]; then
			echo "$made"
			return
		fi
		rmdir "$made"
	done
}

# counted FILE: lines "THREAD COMMITTED LOST".
counted()
{
	[ ! -f "$1" ] || od -A n -v -t u8 -w64 "$1" | awk '{ print NR - 1, $1, $2 }'
}

# sum_of FILE: of all that they committed.
sum_of()
{
	counted "$1" | awk '{ sum += $2; lost += $3 } END { printf "%d", sum }'
}

# print_load TOOL FILE: its events, as both programs print them.
print_load()
{
	"$1" print --events VirtualThreadStart --stack-depth 1 "$2"
}

# Of that text and the counts: what is not as it should be. A thread has the events from 1
# to what it counted or one more; with `least` (a file of counts) it may be fewer, down to
# those. Each has the names that it was given.
load_problems()
{
	counted "$3" >"$box/least"
	counted "$2" >"$box/counts"
	awk -v may_be_fewer="$3" '
		function wrong(what) { if (++wrongs <= 10) print what }
		FILENAME == ARGV[1] { counted[$1] = $2; lost += $3; next }
		FILENAME == ARGV[2] { least[$1] = $2; next }
		$1 == "javaThreadId" { number = $3 + 0 }
		$1 == "eventThread" {
			thread = $3
			gsub(/"|load-/, "", thread)
		}
		/^    load\./ || /^  stackTrace = N\/A/ || /^    \.\.\.$/ && !has_stack {
			has_stack = 1
			split($0, part, /[ .()]+/)
			stack = part[3] "." part[4] " " part[6]
		}
		/^}/ {
			if (!(thread in counted))
				wrong("an event of the thread " thread)
			if (number != seen[thread] + 1)
				wrong("load-" thread ": " number " behind " seen[thread] + 0)
			seen[thread] = number
			class = "C" thread "_" number - (number - 1) % 50
			if (stack != class ".at " number % 10 + 1)
				wrong("load-" thread ": " number " is at " stack)
			has_stack = 0
			stack = ""
		}
		END {
			for (thread in counted) {
				at_least = may_be_fewer ? least[thread] : counted[thread]
				if (seen[thread] > counted[thread] + 1)
					wrong("load-" thread ": " seen[thread] " events, counted: " \
						counted[thread])
				if (seen[thread] < at_least)
					wrong("load-" thread ": " seen[thread] + 0 " events, at least: " \
						at_least)
			}
			if (wrongs > 10) print "and " wrongs - 10 " more"
			if (lost) print lost " events had no room"
		}' "$box/counts" "$box/least" "$1"
}

# reads_well FILE: what verify, and a JDK 25, have to say of it.
reads_well()
{
	"$cjfr" verify "$1" >"$box/found" 2>&1 || head -n 20 "$box/found"
	[ -n "$jdk25" ] || return
	"$jdk25/bin/jfr" summary "$1" >"$box/read" 2>&1 || head -n 5 "$box/read"
	print_load "$jdk25/bin/jfr" "$1" >"$box/theirs" 2>&1 || head -n 5 "$box/theirs"
	print_load "$cjfr" "$1" 2>&1 | diff "$box/theirs" - | head -n 10
}

# holds FILE COUNTS [LEAST]: what is wrong with a recording and what was counted. There
# may be none, if nothing was.
holds()
{
	if [ -f "$1" ]; then
		reads_well "$1"
		print_load "$cjfr" "$1" >"$box/events" 2>"$box/said"
		cat "$box/said"
		load_problems "$box/events" "$2" "$3"
	elif [ "$(sum_of "${3:-$2}")" != 0 ]; then
		echo "there is no recording, but $(sum_of "$2") events were committed:"
		head -n 5 "$work/err"
	fi
}
