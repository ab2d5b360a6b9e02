#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Page faults are counted where they occur: by call path, by thread, and in total.
. "$(dirname "$0")/lib.sh"

compile pages pages.c -fopenmp -I"$HEDDLE_SOURCE/include" -ldl

# Sometimes the kernel counts one fault less. First accesses to Heddle's own memory cause a few more faults, and over a
# hundred in the signal handler.
pages_of() { # NAME SLACK
	local slack=$2
	folded "$1" --metric page-faults
	expect "$1: few" between 490 "$(path_sum "$1" 'phase few')" $((505 + slack))
	expect "$1: many" between 1980 "$(path_sum "$1" 'phase many')" $((2020 + slack))
	expect "$1: shared" between 4550 "$(path_sum "$1" 'omp parallel @pages.c:[0-9]+;.*phase shared')" $((4650 + 4 * slack))
	counted=$(path_sum "$1" .)
	told=$(awk '{ print $2 + $4 }' "$work/$1.out")
	# Heddle reads a thread's counter slightly before the program at its begin, and slightly after it at its end.
	expect "$1: all faults of all threads ($counted, the kernel says $told)" between $((told - 20)) "$counted" $((told + 100 + slack))
}

run_options=(--metric "page-faults,task-clock")
hz=0 measured events "$work/pages"
expect "events: nothing said" test "$(heddle_lines events)" = 0
pages_of events 0
hz=1000 measured samples "$work/pages"
pages_of samples 150

# With one sample for every ten faults, samples are where the faults are.
run_options=(--sample-event page-faults@10)
hz=0 measured overflow "$work/pages"
expect "overflow: the source is reported" grep -q 'perf page-faults@10$' <("$heddle" info "$work/overflow.heddle.d")
folded overflow --metric samples
expect "overflow: few" between 48 "$(path_sum overflow 'phase few;touch$')" 54
expect "overflow: many" between 195 "$(path_sum overflow 'phase many;touch$')" 215
expect "overflow: shared" between 450 "$(path_sum overflow 'omp parallel @pages.c:[0-9]+;phase shared;touch$')" 480

# Programs that close descriptors they did not open, or have few of them, behave normally.
compile files files.c
run_options=(--metric "page-faults,perf::PAGE-FAULTS,cpu-migrations")
# Without PAPI, or if PAPI does not support the processor, its names are unknown.
if ! "$heddle" run --metric perf::PAGE-FAULTS -o "$work/try" -- true 2> "$work/try.err" ||
	grep -q 'not counted' "$work/try.err"; then
	run_options=(--metric 'page-faults,faults{1:2},task-clock')
fi
hz=1000
for way in close_all close_in_threads few lowest; do
	same_behaviour "counting.$way" "$work/files" "$way"
done
finish
