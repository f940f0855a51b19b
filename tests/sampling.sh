# sampling.sh - recordings with samples, and what became of the ticks. Scripts source it
# behind tap.sh and jdks.sh; $cjfr is the program.

# Columns of cjfr.SamplerStatistics: first the outcomes of a tick, then all else.
outcomes="javaSamples nativeSamples otherThreads unwanted dropped noJavaFrame noClassEvents
	gcActive unknownNotJava notWalkableNotJava unknownJava notWalkableJava unknownState
	threadExit deoptimization safepoint otherFailure faults"
beside="ticks retried merged missed untimed handlerTime callbackTime recorderTime processTime"

# Settings that sample as often as can be, and tell how it went.
often="--interval 1ms jdk.ExecutionSample#enabled=true jdk.NativeMethodSample#enabled=true
	jdk.NativeMethodSample#period=1ms cjfr.SamplerStatistics#enabled=true"

# sampling_orders FILE FOLDER: the same, for an agent that is loaded later.
sampling_orders()
{
	cat >"$1" <<-END
	repository=$2
	setting=jdk.ExecutionSample#enabled=true
	setting=jdk.ExecutionSample#period=1 ms
	setting=jdk.NativeMethodSample#enabled=true
	setting=jdk.NativeMethodSample#period=1 ms
	setting=cjfr.SamplerStatistics#enabled=true
	END
}

# tally RECORDING: lines "NAME SUM" of all that was told of the sampling.
tally()
{
	"$cjfr" view --csv "SELECT $(echo $outcomes $beside |
		sed 's/\([A-Za-z]*\) */SUM(\1), /g; s/, $//') FROM cjfr.SamplerStatistics" "$1" |
		awk -F , -v names="$(echo $outcomes $beside)" 'NR == 2 {
			split(names, name, " ")
			for (i = 1; i <= NF; i++) print name[i], $i + 0
		}'
}

# tally_of RECORDING NAME: one of them.
tally_of()
{
	tally "$1" | awk -v name="$2" '$1 == name { print $2 }'
}

# samples_of RECORDING: how many events there are.
samples_of()
{
	"$cjfr" summary "$1" |
		awk '$1 ~ /^jdk\.(ExecutionSample|NativeMethodSample)$/ { sum += $2 }
			END { print sum + 0 }'
}

# adds_up RECORDING: what is wrong with the sums.
adds_up()
{
	tally "$1" | awk -v outcomes="$(echo $outcomes)" -v samples="$(samples_of "$1")" '
		{ of[$1] = $2 }
		END {
			count = split(outcomes, name, " ")
			for (i = 1; i <= count; i++) sum += of[name[i]]
			if (!of["ticks"]) print "no ticks"
			if (sum != of["ticks"]) print of["ticks"] " ticks, but " sum " outcomes"
			taken = of["javaSamples"] + of["nativeSamples"]
			if (taken != samples) print samples " events, but " taken " samples"
		}'
}

# stacks RECORDING: percent of the ticks on threads of Java that gave a stack.
stacks()
{
	tally "$1" | awk '{ of[$1] = $2 }
		END {
			all = of["ticks"] - of["otherThreads"] - of["unwanted"]
			if (all) printf "%.1f", 100 * (of["javaSamples"] + of["nativeSamples"]) / all
		}'
}

# failures RECORDING: outcomes without a sample, and how many, in one line.
failures()
{
	tally "$1" | awk '$2 && $1 !~ /^(javaSamples|nativeSamples|.*Time)$/ {
			line = line ", " $1 " " $2 }
		END { print substr(line, 3) }'
}

# at_least PERCENT RECORDING: a line if fewer ticks gave a stack.
at_least()
{
	stacks "$2" | awk -v least="$1" '{ seen = $1 }
		END { if (seen == "" || seen < least) exit 1 }' ||
		echo "stacks: $(stacks "$2") %, not $1; $(failures "$2")"
}

# shares RECORDING: lines "CLASS PERCENT" of the samples' innermost methods.
shares()
{
	"$cjfr" view --csv hot-methods "$1" | sed 's/"\(.*\)"/\1/' | awk 'NR > 1 {
			percent = $0
			sub(/.*,/, "", percent)
			class = $0
			sub(/\(.*/, "", class)
			sub(/\.[^.]*$/, "", class)
			sum[class] += 100 * percent
		}
		END { for (class in sum) printf "%s %.2f\n", class, sum[class] }'
}

# near POINTS OUTPUT RECORDING: a line for each share that is farther from the one that the
# program has printed.
near()
{
	shares "$3" >"$box/seen"
	awk -v points="$1" '
		NR == FNR { seen[$1] = $2; next }
		$1 == "share" {
			shares++
			far = seen[$2] - $3
			if (far > points || far < -points)
				printf "%s has %.2f %%, and %.2f %% of the samples\n", $2, $3, seen[$2]
		}
		END { if (!shares) print "no shares" }' "$box/seen" "$2"
}

# farthest OUTPUT RECORDING: by how many points they differ at most.
farthest()
{
	shares "$2" >"$box/seen"
	awk 'NR == FNR { seen[$1] = $2; next }
		$1 == "share" {
			far = seen[$2] - $3
			if (far < 0) far = -far
			if (far > most) most = far
		}
		END { printf "%.2f", most }' "$box/seen" "$1"
}

# attach PROGRAM...: what runs in the folder, with java on PATH: the program, and the agent
# loaded into it when it listens. Its status is the program's.
attach_script()
{
	cat <<-'SCRIPT'
	java "$@" &
	jvm=$!
	# Without a handler of it SIGQUIT, by which attaching begins, would be its end.
	until grep -q '^SigCgt:.*[4-7c-f]$' "/proc/$jvm/status"; do sleep 0.1; done
	java -cp ".:$JAVA_HOME/lib/tools.jar" Attach $jvm "$LIBRARY" "$ORDERS"
	wait $jvm
	SCRIPT
}
