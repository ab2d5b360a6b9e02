#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The views of blame, communication, memory, message sizes, OpenMP, time, phases and of the measurement itself have the
# numbers of the text reports, for measurements made by tests and, if there is a UPC compiler, for a real one.
. "$HEDDLE_SOURCE/tests/page/page.sh"
. "$HEDDLE_SOURCE/tests/cli/traced_measurement.sh"
. "$HEDDLE_SOURCE/tests/cli/blamed_measurement.sh"

measurements="m upc t blamed"
if "$heddle" upcc -O2 -g --inst --inst-local "$HEDDLE_SOURCE/tests/upc/programs/accesses.upc" -o accesses 2>upcc.err; then
	LD_LIBRARY_PATH=$HEDDLE_BUILD/lib "$heddle" run --accesses --blame --memory --trace -n 3 -o real -- ./accesses \
		>run.out 2>&1 || { cat run.out; exit 1; }
	LD_LIBRARY_PATH=$HEDDLE_BUILD/lib "$heddle" run --accesses --sample-hz 0 -n 66 -o many -- ./accesses >run.out 2>&1 ||
		{ cat run.out; exit 1; }
	measurements="$measurements real many"
	"$heddle" report real --from 1us --html real.part.html >/dev/null || exit 1
else
	echo "without a UPC compiler: no real measurement, no pairs of threads"
fi
rm -f page.html
for measurement in $measurements; do
	"$heddle" report "$measurement" --html "$measurement.html" --sources --source-dir "$HEDDLE_SOURCE/tests" >/dev/null || exit 1
	for part in "--blame --flat" --memory --messages --timeline "--by pair" "--by variable" --threads; do
		# shellcheck disable=SC2086 # two words
		"$heddle" report $part --min 0 --no-color "$measurement" >"$measurement.${part##*[- ]}" 2>&1
	done
	"$heddle" info "$measurement" >"$measurement.info"
done
"$heddle" report t --from 0ns --flat --metric wall-time --min 0 --no-color >t.wall || exit 1
"$heddle" report m --callers 0x1300 --recursion --min 0 --no-color >m.callers
"$heddle" report m --flat --metric cpu-time --min 0 --no-color >m.functions
"$heddle" report m --recursion --min 0 --no-color >m.tree
# shellcheck disable=SC2086 # several words
/usr/bin/python3 "$HEDDLE_SOURCE/tests/page/page_numbers.py" $measurements
