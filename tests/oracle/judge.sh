# judge.sh - whether the JDK's jfr reads a recording that we wrote. Sourced by scripts that
# have $cjfr, the program, and $box, a folder; and $jfr, the tool of any JDK since 17.

# How many events there are in a text, in JSON, in a summary.
in_text() {
	grep -ac '^[^ }].* {$' "$1"
}
in_json() {
	grep -ac '^      "type": "' "$1"
}
in_summary() {
	awk '/^=====/ { inside = 1; next } inside { sum += $(NF - 1) } END { print sum + 0 }' "$1"
}

# ask WHAT ARGUMENT...: runs the JDK's jfr. False: it failed, and said why in the box.
ask() {
	timeout 300 "$jfr" "$@" "$judged" >"$box/theirs" 2>"$box/err" &&
		! grep -aq 'Exception\|internal error' "$box/err"
}

# compare COUNT-FUNCTION WHAT ARGUMENT...: the same question to both.
compare() {
	count=$1
	shift
	ask "$@" || return 1
	"$cjfr" "$@" "$judged" >"$box/ours" 2>>"$box/err" || return 1
	ours=$($count "$box/ours") theirs=$($count "$box/theirs")
	[ "$ours" = "$theirs" ] && return
	echo "$ours events, the JDK $theirs" >"$box/err"
	return 1
}

# judge FILE NAME SAID: a line on whether jfr reads the file, called NAME, to its end:
# metadata, summary and print, and the last two with as many events as we find. Arrays and
# a few other values are known to stop its text output; for these print --json decides.
judge() {
	judged=$1
	if ! ask metadata; then
		echo "FAILED $2: metadata: $(grep -am 1 . "$box/err")"
		return 1
	fi
	if ! compare in_summary summary; then
		echo "FAILED $2: summary: $(grep -am 1 . "$box/err")"
		return 1
	fi
	if compare in_text print; then
		echo "good   $2: $3"
		return
	fi
	reason=$(grep -am 1 . "$box/err")
	if compare in_json print --json; then
		echo "json   $2: $3: $reason"
		return
	fi
	echo "FAILED $2: print: $reason"
	return 1
}
