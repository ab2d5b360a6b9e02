#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The data of pages has the types of html/src/stored.ts (page_schema.py): pages of measurements with accesses, memory, a
# trace and sources, of a merged file, and of differences with one run on a side and with several.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"
. "$HEDDLE_SOURCE/tests/cli/traced_measurement.sh"
. "$HEDDLE_SOURCE/tests/cli/compared_measurements.sh"
. "$HEDDLE_SOURCE/tests/cli/hybrid_measurement.sh"
. "$HEDDLE_SOURCE/tests/cli/chained_measurement.sh"

command -v python3 >/dev/null || { echo "skipped: no python3 on this machine"; exit 77; }
if ! "$heddle" report m --html m.html >out; then
	"$heddle" report m --html m.html 2>&1 | grep -q 'has no pages' || exit 1
	echo "skipped: this build has no pages (esbuild, or the package preact, was missing)"
	exit 77
fi
"$heddle" report upc --html upc.html >/dev/null && "$heddle" report t --html t.html >/dev/null &&
	"$heddle" report hybrid --html hybrid.html >/dev/null && "$heddle" report chained --html chained.html >/dev/null &&
	"$heddle" merge upc -o merged.heddle >/dev/null && "$heddle" report merged.heddle --html merged.html >/dev/null &&
	"$heddle" diff b1 a1 --html one.html >/dev/null && "$heddle" diff b1 b2 b3 -- a1 a2 a3 --html several.html >/dev/null ||
	exit 1
types=$HEDDLE_SOURCE/html/src/stored.ts
python3 "$HEDDLE_SOURCE/tests/page/page_schema.py" "$types" StoredPage m.html upc.html t.html merged.html hybrid.html chained.html || failed=1
python3 "$HEDDLE_SOURCE/tests/page/page_schema.py" "$types" StoredDiff one.html several.html || failed=1

# Finds a member that only the types have, and one that only the page has.
sed 's/^	incomplete: boolean;/	incomplete: boolean;\n	more: number;/' "$types" >wrong.ts
sed '/^	incomplete: boolean;/d' "$types" >short.ts
for wrong in wrong.ts short.ts; do
	if python3 "$HEDDLE_SOURCE/tests/page/page_schema.py" $wrong StoredPage m.html >said; then
		echo "the check itself is broken: $wrong"
		failed=1
	fi
done
exit $failed
