#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The commands show what the library measured for GASP events: paths with labels and places, bytes, statistics of
# arguments, generated names. reported.c is the GASP client.
set -u
heddle=$HEDDLE_BUILD/bin/heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# holds FILE REGEX COUNT: COUNT of the file's lines match.
holds() {
	local count
	count=$(grep -cE -- "$2" "$1")
	[ "$count" -eq "$3" ] || { echo "$1: $count lines like: $2 (expected $3)"; cat "$1"; failed=1; }
}

"$heddle" run --sample-hz 0 -o measured -- "$HEDDLE_BUILD/tests/gasp/gasp_reported" >/dev/null 2>&1 || { echo "does not run"; exit 1; }
for metric in visits bytes-got bytes-put waiting; do
	"$heddle" export measured --format folded --metric $metric >"$metric.txt" || failed=1
done
holds visits.txt '^solve 1$' 1
holds visits.txt '^solve;.*time step 4$' 1
holds visits.txt '^solve;.*time step;upc get @cg\.upc:57 4$' 1
holds visits.txt '^solve;.*time step;upc memput @cg\.upc:58 4$' 1
holds visits.txt '^solve;.*time step;upc barrier @cg\.upc:60 4$' 1
holds visits.txt '^solve;GASP event 4711 @cg\.upc:70 1$' 1
holds visits.txt '^upc notify \(startup\) 1$' 1
holds visits.txt '^upc barrier \(final barrier\) 1$' 1
holds visits.txt . 8
holds bytes-got.txt '^solve;.*time step;upc get @cg\.upc:57 32$' 1
holds bytes-got.txt . 1
holds bytes-put.txt 'upc memput @cg\.upc:58 16384$' 1
holds waiting.txt 'upc barrier @cg\.upc:60 [0-9]{7,}$' 1
"$heddle" report measured --min 0 >report.txt || failed=1
holds report.txt 'step +min 1 .* mean 2\.5 .* max 4 .* sum 10 .*4 values' 1
holds report.txt 'residual +min 2\.5 .* max 10 ' 1
holds report.txt 'residual at end +min 0\.25 .* max 1 ' 1
holds report.txt 'step at end' 0
holds report.txt 'by +"cg" \(1 value\)' 1
holds report.txt 'by +"gmres" \(3 values\)' 1
holds report.txt 'by at end' 0
"$heddle" run --sample-hz 0 --trace -o traced -- "$HEDDLE_BUILD/tests/gasp/gasp_reported" >/dev/null 2>&1 || failed=1
"$heddle" info --check-trace traced >check.txt || { cat check.txt; failed=1; }
"$heddle" export --format chrome -o traced.json traced || failed=1
tr '{' '\n' <traced.json >traced.txt
holds traced.txt '"by: gmres"' 3
holds traced.txt '"by at end: cg"' 1
holds traced.txt '"residual at end"' 4
holds report.txt 'upc get @cg\.upc:57' 1
holds report.txt '^note: .*GASP event 4711' 1
exit $failed
