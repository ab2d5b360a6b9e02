#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Accessibility of pages: axe finds no violation in any view, in light and dark.
. "$HEDDLE_SOURCE/tests/page/page.sh"

axe=$HEDDLE_SOURCE/build/deps/npm/node_modules/axe-core/axe.min.js
if [ ! -e "$axe" ]; then
	echo "skipped: axe-core was not fetched (./dev test fetches it)"
	exit 77
fi
/usr/bin/python3 "$HEDDLE_SOURCE/tests/page/page_accessible.py" "$work/page.html" "$axe"
