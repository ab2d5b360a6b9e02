#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Operations traced by a device are below the construct that requested them, with the device's time, for both forms in
# which the report declares some functions.
. "${BASH_SOURCE%/*}/../run/lib.sh"
. "${BASH_SOURCE%/*}/lib.sh"

compile_simulated target2015 target2015.c
for SIMULATED_FORM in text appendix; do
	export SIMULATED_FORM
	name=$SIMULATED_FORM
	measured "$name" "$work/target2015"
	expect "$name: ends well" ended "$name" "exit 0"
	folded "$name" --metric visits
	expect "$name: 20 short kernels" test "$(path_sum "$name" '(^|;)many;.*device kernel')" = 20
	expect "$name: 5 long kernels" test "$(path_sum "$name" '(^|;)long_ones;.*device kernel')" = 5
	expect "$name: below the target construct" test "$(path_sum "$name" '(^|;)many;omp target @[^;]*target2015.c:11;device kernel')" = 20
	expect "$name: the constructs" test "$(path_sum "$name" 'omp target @[^;]*$')" = 25
	expect "$name: the data region around them" test "$(path_sum "$name" 'omp target data @[^;]*target2015.c:35;both;.*omp target @[^;]*$')" = 25
	expect "$name: 25 in all" test "$(path_sum "$name" 'device kernel')" = 25
	expect "$name: none while paused" no_path "$name" '(^|;)paused'
	expect "$name: events on the device" test "$(path_sum "$name" 'device ompt_event_parallel_begin')" = 25
	expect "$name: remarks are not counted as events" no_path "$name" 'a remark'
	folded "$name" --metric bytes-put
	expect "$name: bytes to the device" test "$(path_sum "$name" 'omp target @[^;]*;omp copy to device')" = 20000
	folded "$name" --metric bytes-got
	expect "$name: bytes from the device" test "$(path_sum "$name" 'omp target @[^;]*;omp copy from device')" = 10000
	timeout "$seconds" "$heddle" report "$work/$name.heddle.d" --stats --metric visits > "$work/$name.stats" 2>&1
	expect "$name: 20 times 3 ms" grep -Eq 'seconds on the device .* sum 0\.06 \(20 values\)' "$work/$name.stats"
	expect "$name: 5 times 40 ms" grep -Eq 'seconds on the device .* sum 0\.2 \(5 values\)' "$work/$name.stats"
done
finish
