#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Accessibility of pages: axe finds no violation in any view, in light and dark.
. "$HEDDLE_SOURCE/tests/page/page.sh"
. "$HEDDLE_SOURCE/tests/cli/compared_measurements.sh"

axe=$HEDDLE_SOURCE/build/deps/npm/node_modules/axe-core/axe.min.js
if [ ! -e "$axe" ]; then
	echo "skipped: axe-core was not fetched (./dev test fetches it)"
	exit 77
fi
"$heddle" diff --html diff.html b1 b2 b3 -- a1 a2 a3 >/dev/null || exit 1
. "$HEDDLE_SOURCE/tests/cli/traced_measurement.sh"
"$heddle" report upc --html upc.html >/dev/null && "$heddle" report t --html t.html >/dev/null || exit 1
set -- "$work/page.html" "$work/diff.html"
if "$heddle" upcc -O2 -g --inst "$HEDDLE_SOURCE/tests/upc/programs/accesses.upc" -o accesses 2>upcc.err; then
	LD_LIBRARY_PATH=$HEDDLE_BUILD/lib "$heddle" run --accesses --blame -n 3 -o real -- ./accesses >run.out 2>&1 &&
		"$heddle" report real --html real.html >/dev/null || { cat run.out; exit 1; }
	set -- "$@" "$work/real.html"
fi
/usr/bin/python3 "$HEDDLE_SOURCE/tests/page/page_accessible.py" "$axe" "$@" -- "$work/upc.html" "$work/t.html"
