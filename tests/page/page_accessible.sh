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
/usr/bin/python3 "$HEDDLE_SOURCE/tests/page/page_accessible.py" "$axe" "$work/page.html" "$work/diff.html"
