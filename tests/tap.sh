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

# own_folder FROM: a folder to write to, $box/folder, which links to what is in FROM; in it
# an empty one, "new".
own_folder()
{
	rm -rf "$box/folder"
	mkdir -p "$box/folder/new"
	ln -s "$1"/* "$box/folder"
}

# made_files: those that were written there, as "checksum bytes name".
made_files()
{
	(cd "$box/folder" && find . -type f | sed 's,^\./,,' | sort | xargs -r -d '\n' cksum)
}

# without_folder FILE: its path is another one each time.
without_folder()
{
	sed "s|$(cd "$box/folder" && pwd -P)|/folder|g" "$1" >"$box/placeless"
	mv "$box/placeless" "$1"
}

finish()
{
	echo "1..$count"
	exit $failed
}
