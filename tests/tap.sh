# tap.sh - what the test scripts share. They source it, and run in the build directory.
#
# Results are TAP lines, which automake adds up. A sanitizer's report is kept in
# $box, so that none goes unseen whatever the program's status is.

srcdir=${srcdir:-.}
count=0
failed=0
box=$(mktemp -d) || exit 1
trap 'rm -rf "$box"' EXIT
trap 'exit 1' HUP INT TERM

for sanitizer in ASAN UBSAN TSAN LSAN; do
	eval "export ${sanitizer}_OPTIONS=\"\$${sanitizer}_OPTIONS:log_path=$box/report\""
done

# reports: prints what the sanitizers wrote, and forgets it.
reports()
{
	for report in "$box"/report.*; do
		[ -f "$report" ] && head -n 16 "$report" && rm "$report"
	done
}

# verdict NAME [PROBLEMS]: one result. Without problems it is a good one.
verdict()
{
	count=$((count + 1))
	if [ -z "$2" ]; then
		echo "ok $count - $1"
	else
		failed=1
		echo "not ok $count - $1"
		printf '%s\n' "$2" | sed 's/^/# /'
	fi
}

# skip NAME WHY
skip()
{
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

# without_times FILE: how long something took is another number each time.
without_times()
{
	sed '/^Execution: /s/=[0-9.]* [mun]*s/=some time/g' "$1" >"$box/timeless"
	mv "$box/timeless" "$1"
}

finish()
{
	echo "1..$count"
	exit $failed
}
