#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Functions of the in-process library: none has more than 50 lines, and in each folder nine of ten have at most 25. Lines
# count from the line of the name to the closing brace. First the check is tried on functions that are too long.
set -eu
cd "$HEDDLE_SOURCE"

# check FILE...: prints the functions that are too long, and fails if there are any.
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
		if (n - 1 > 25) {
			print "one function in ten has " n - 1 " lines or more, of " FILENAME " and its like"
			bad = 1
		}
		if (!count) {
			print "no function was found"
			bad = 1
		}
		exit bad
	}' "$@"
}

# try NAME LONG MANY: checks a file of ten functions with two lines, except that MANY have LONG lines.
try() {
	for i in 1 2 3 4 5 6 7 8 9 10; do
		echo "static void f$i(void)"
		echo '{'
		[ "$i" -gt "$3" ] || yes '	g();' | head -n $(($2 - 3))
		echo '}'
	done >"$work/$1.c"
	check "$work/$1.c"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
try longest 50 1
try usual 25 10
if try too_long 51 1 >/dev/null || try too_many 26 2 >/dev/null; then
	echo "the check itself is broken: it accepts functions that are too long"
	exit 1
fi
for folder in core sampling models perf upc/runtime upc/network; do
	# shellcheck disable=SC2046
	check $(find "$folder" -name '*.[ch]')
done
