#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# No file of the product has more than 700 lines, except tests, examples and documents. First the check is tried on a
# file that is too long.
set -eu

# check ROOT: prints the files that are too long, and fails if there are any.
check() {
	(cd "$1" && find analysis cli cmake core export format html include models perf profile sampling tune upc \
		\( -name node_modules -o -name dist \) -prune -o -type f \
		\( -name '*.[ch]' -o -name '*.ts' -o -name '*.tsx' -o -name '*.py' -o -name '*.sh' -o -name '*.cmake' \
		-o -name '*.upc' -o -name '*.css' -o -name CMakeLists.txt \) -print 2>/dev/null | sort | xargs awk '
		FNR == 1 { files++ }
		FNR == 701 { print FILENAME " has more than 700 lines"; found = 1 }
		END { if (!files) print "no files were found"; exit found || !files }')
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/core"
seq 700 >"$work/core/a.c"
check "$work"
seq 701 >"$work/core/a.c"
if check "$work" >/dev/null; then
	echo "the check itself is broken: it accepts a file of 701 lines"
	exit 1
fi
check "$HEDDLE_SOURCE"
