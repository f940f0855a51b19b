# ask.sh - asks a JDK's jfr about a recording, and compares with us; sourced by others.
#
# Needs: $cjfr, $jfr, $box (a folder of our own), and $written, the recording.

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
	timeout 300 "$jfr" "$@" "$written" >"$box/theirs" 2>"$box/err" &&
		! grep -aq 'Exception\|internal error' "$box/err"
}

# compare COUNT-FUNCTION WHAT ARGUMENT...: the same question to both.
compare() {
	count=$1
	shift
	ask "$@" || return 1
	"$cjfr" "$@" "$written" >"$box/ours" 2>>"$box/err" || return 1
	ours=$($count "$box/ours") theirs=$($count "$box/theirs")
	[ "$ours" = "$theirs" ] && return
	echo "$ours events, the JDK $theirs" >"$box/err"
	return 1
}

# Why the last question failed.
reason() {
	grep -am 1 . "$box/err"
}
