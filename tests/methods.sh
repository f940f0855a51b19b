# methods.sh - recordings of timed and traced methods, and programs that count their calls
# themselves (tests/live/calls). Scripts source it behind tap.sh and jdks.sh; $work is
# their folder, $javac and, where there is one, $javac21 compile for them.

cjfr=$here/cjfr
settings=none

# many COUNT TEXT: so many times, a line each.
many()
{
	awk -v count="$1" -v text="$2" 'BEGIN { while (count-- > 0) print text }'
}

# huge_source: methods near what HotSpot compiles (8,000 bytes), what a jump reaches (a
# loop gets too long by what is put before its returns), and what a method may have at
# most: that one cannot be timed. Each statement is 7 bytes, or 9 with a return.
huge_source()
{
	cat <<-'JAVA'
	package truth;
	import tally.Count;
	public class Huge {
		static int near(int v) {
			Count.at("truth.Huge.near(int)");
			int s = 1;
	JAVA
	many 1139 's = s * 31 + v;'
	cat <<-'JAVA'
			return s;
		}
		static int loop(int v) {
			Count.at("truth.Huge.loop(int)");
			int s = 1;
			for (int i = 0; i < 3; i++) {
	JAVA
	many 4500 's = s * 31 + v;'
	many 100 'if (s == -12345) return v;'
	cat <<-'JAVA'
			}
			return s;
		}
		static int most(int v) {
			int s = 1;
	JAVA
	many 9360 's = s * 31 + v;'
	cat <<-'JAVA'
			return s;
		}
		public static void all(int times) {
			Count.at("truth.Huge.all(int)");
			for (int i = 0; i < times; i++)
				if (near(1) == 1 || loop(i) == 2 || most(i) == 3)
					throw new AssertionError();
		}
	}
	JAVA
}

# compile_calls: into $work/classes, for JDK 8; and for 21 into $work/classes21.
compile_calls()
{
	mkdir -p "$work/source/truth" "$work/classes"
	huge_source >"$work/source/truth/Huge.java"
	find "$srcdir/tests/live/calls" "$work/source" -name '*.java' >"$box/sources"
	"$javac" -nowarn -g --release 8 -d "$work/classes" "@$box/sources" \
		2>"$box/said" || { cat "$box/said"; exit 1; }
	[ -z "$javac21" ] || {
		mkdir "$work/classes21"
		find "$srcdir/tests/live/calls21" -name '*.java' >"$box/sources"
		"$javac21" -nowarn -g --release 21 -cp "$work/classes" \
			-d "$work/classes21" "@$box/sources" 2>"$box/said" ||
			{ cat "$box/said"; exit 1; }
	}
}

# record_calls OPTIONS -- PROGRAM...: with $version, $home, $settings; leaves $work/x.jfr,
# out (the status in its last line), err, and the counts of the program in $work/counts.
record_calls()
{
	rm -f "$work/x.jfr" "$work/counts"
	with_jdk "$version" "$home" "$work" timeout 600 \
		"$cjfr" record --quiet -o x.jfr --settings $settings jdk.DataLoss#enabled=true \
		cjfr.MethodProbe#enabled=true "$@" \
		>"$work/out" 2>"$work/err" </dev/null
	echo "status $?" >>"$work/out"
}

# timed FILE: "METHOD, a tab, INVOCATIONS" of the last time that it was told.
timed()
{
	"$cjfr" print --ndjson --events jdk.MethodTiming "$1" | awk '
		match($0, /"startTime":"[^"]*"/) {
			time = substr($0, RSTART, RLENGTH)
			match($0, /"method":"[^"]*"/)
			method = substr($0, RSTART + 10, RLENGTH - 11)
			match($0, /"invocations":[0-9]+/)
			if (time > last) {
				last = time
				split("", sum)
			}
			sum[method] += substr($0, RSTART + 14, RLENGTH - 14)
		}
		END { for (method in sum) printf "%s\t%d\n", method, sum[method] }' |
		LC_ALL=C sort
}

# traced FILE: the same, by the number of events.
traced()
{
	"$cjfr" view --ndjson 'SELECT COUNT(*), method FROM jdk.MethodTrace GROUP BY method' \
		"$1" 2>"$box/said" |
		sed 's/^{"Count":\([0-9]*\),"Method":"\(.*\)"}$/\2	\1/' |
		awk -F '\t' '{ sum[$1] += $2 }
			END { for (method in sum) printf "%s\t%d\n", method, sum[method] }' |
		LC_ALL=C sort
}

# of_program: the lines of methods that the programs count.
of_program()
{
	grep -E '^(truth|apps|marked|shape|carried|early|slow)\.'
}

# compare WHAT FILE: what is in a list and was not counted, and the other way round.
compare()
{
	LC_ALL=C sort "$2" | join -t '	' -a 1 -a 2 -e 0 -o 0,1.2,2.2 "$box/expected" - |
		awk -F '\t' -v what="$1" '
			$2 != $3 {
				if (++wrongs <= 20)
					print $1 ": " $2 " calls, " what ": " $3
			}
			{ calls += $2 }
			END {
				if (wrongs > 20) print "and " wrongs - 20 " more"
				if (!calls) print "nothing was counted"
			}'
}

# ended_well: the program, and the recording.
ended_well()
{
	[ "$(cat "$work/out")" = "done
status 0" ] || { head -n 5 "$work/out"; head -n 20 "$work/err"; }
	[ ! -s "$work/err" ] || grep -i 'lost\|warning\|error' "$work/err" | head -n 5
	"$cjfr" verify "$work/x.jfr" >"$box/verify" 2>&1 || head -n 5 "$box/verify"
	"$cjfr" summary "$work/x.jfr" | awk '
		$1 == "jdk.DataLoss" && $2 > 0 { print $2 " events of jdk.DataLoss" }'
}

# agrees [PATTERN [SCOPE]]: the methods that the program has counted and that are like the
# pattern are in the recording, with as many calls; no others are, but such as were never
# called. SCOPE: which were looked at at all. Of $kinds: timed, traced.
agrees()
{
	ended_well
	of_program <"$work/counts" | grep -E "${2:-.}" | grep -E -- "${1:-.}" |
		LC_ALL=C sort >"$box/expected"
	for kind in $kinds; do
		$kind "$work/x.jfr" | of_program | grep -E "${2:-.}" >"$box/$kind"
		[ "$kind" = traced ] || [ -n "$1" ] ||
			grep -E 'lambda\$|access\$|\$deserialize' "$box/$kind"
		compare "$kind" "$box/$kind"
	done
}
