# jdks.sh - the JDKs of this machine. Scripts source it in the build directory.
#
# They are those in /usr/lib/jvm, those that JDKS=DIR:DIR names, and those of
# ../shared/tools/jdk-matrix, which run in a system of their own that sees only the
# build directory.

here=$(pwd)
matrix=${JDK_MATRIX_TOOL:-$srcdir/../shared/tools/jdk-matrix}

# version_of HOME: the number of a JDK, 8 or 25.
version_of()
{
	"$1/bin/java" -version 2>&1 |
		sed -n 's/.*version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p'
}

# list_jdks: lines "VERSION HOME", one for each version; HOME may be "matrix".
list_jdks()
{
	{
		for home in $(echo "$JDKS" | tr : ' ') /usr/lib/jvm/*; do
			[ -L "$home" ] || [ ! -x "$home/bin/javac" ] ||
				echo "$(version_of "$home") $home"
		done
		[ ! -x "$matrix" ] || "$matrix" list 2>/dev/null | sed 's/$/ matrix/'
	} | sort -n -s -u -k 1,1
}

# with_jdk VERSION HOME FOLDER COMMAND...: in that folder of the build directory, with
# that java on PATH.
with_jdk()
{
	version=$1 home=$2 folder=$3
	shift 3
	if [ "$home" = matrix ]; then
		"$matrix" run "$version" "$here" sh -c 'cd "$0" && exec "$@"' \
			"$folder" "$@"
	else
		(cd "$folder" && JAVA_HOME=$home PATH=$home/bin:$PATH exec "$@")
	fi
}

# needs_agent NAME: without an agent, or a JDK, that is skipped, and the script is at
# its end. For scripts that have sourced tap.sh.
needs_agent()
{
	[ -z "$AGENT_SKIP" ] && [ -f .libs/libcjfragent.so ] &&
		[ -x "$JDK/bin/javac" ] && return
	skip "$1" "there is no agent: ${AGENT_SKIP:-no JDK, or it was not built}"
	finish
}
