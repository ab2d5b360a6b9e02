#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# libheddle.so exports exactly the names in exported_symbols.txt: the program sees nothing else of Heddle.
set -eu
library=$HEDDLE_BUILD/lib/libheddle.so
if [ ! -e "$library" ]; then
	echo "skipped: this tree has no libheddle.so yet"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Version nodes of the export map are absolute symbols (A).
nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort -u >"$work/found"
grep -v '^#' "$HEDDLE_SOURCE/tests/project/exported_symbols.txt" | LC_ALL=C sort -u >"$work/listed"
diff -u "$work/listed" "$work/found"
