# judge.sh - whether a JDK's jfr reads a recording that we wrote to its end; sourced by
# others, behind ask.sh.

# judge FILE NAME SAID: a line on whether it does. Metadata, summary and print must work,
# and the last two have as many events as we find. Arrays and a few other values are known
# to stop its text; then print --json decides.
judge() {
	written=$1
	if ! ask metadata; then
		echo "FAILED $2: metadata: $(reason)"
		return 1
	fi
	if ! compare in_summary summary; then
		echo "FAILED $2: summary: $(reason)"
		return 1
	fi
	if compare in_text print; then
		echo "good   $2: $3"
		return
	fi
	why=$(reason)
	if compare in_json print --json; then
		echo "json   $2: $3: $why"
		return
	fi
	echo "FAILED $2: print: $why"
	return 1
}
