#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A million short parallel regions on one thread, and 100,000 on two: memory does not grow, and each one is counted.
. "${BASH_SOURCE%/*}/lib.sh"

compile regions regions.c -fopenmp
export OMP_WAIT_POLICY=passive # on a busy machine, two spinning threads would wait for a processor
for run in "1000000 1" "100000 2"; do
	read -r count threads <<< "$run"
	name=regions-$threads
	same_behaviour "$name" "$work/regions" "$count" "$threads"
	grep grew "$work/$name.err"
	before=$(awk '$1 == "VmHWM" { print $2 }' "$work/$name.bare.err")
	after=$(awk '$1 == "VmHWM" { print $2 }' "$work/$name.err")
	expect "$threads threads: memory added is at most 20 MB" between -1000 $((after - before)) 20480
	folded "$name" --metric visits
	expect "$threads threads: every region was counted" \
		test "$(path_sum "$name" '^main;short_region;omp parallel @[^;]*$')" = "$count"
done
finish
