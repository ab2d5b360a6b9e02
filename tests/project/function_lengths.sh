#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Functions of the in-process library: none has more than 50 lines, and nine of ten have at most 30. Lines count from the
# line of the name to the closing brace. First the check is tried on a function that is too long.
set -eu
cd "$HEDDLE_SOURCE"

# check FILE...: prints the functions that are too long, and fails when there are any.
check() {
	awk '
	FNR == 1 { start = 0; open = 0 }
	/^[A-Za-z_]/ && !open { start = FNR; name = $0 }
	/^\{/ && start { open = 1 }
	/^\}/ && open {
		length_of = FNR - start + 1
		lengths[length_of]++
		count++
		if (length_of > 50) {
			print FILENAME ":" start ": " length_of " lines: " name
			bad = 1
		}
		open = 0
		start = 0
	}
	END {
		for (n = 0; sum < 0.9 * count; n++)
			sum += lengths[n]
		if (n - 1 > 30) {
			print "one function in ten has " n - 1 " lines or more"
			bad = 1
		}
		if (!count) {
			print "no function was found"
			bad = 1
		}
		exit bad
	}' "$@"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for lines in 47 48; do # and name, two braces
	{
		echo 'static void f(void)'
		echo '{'
		yes '	g();' | head -n "$lines"
		echo '}'
		for i in 1 2 3 4 5 6 7 8 9 10; do printf 'void g%d(void)\n{\n}\n' $i; done
	} >"$work/$lines.c"
done
check "$work/47.c"
if check "$work/48.c" >/dev/null; then
	echo "the check itself is broken: it lets a function have 51 lines"
	exit 1
fi
# shellcheck disable=SC2046
check $(find core sampling models -name '*.[ch]')
