#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A million short parallel regions do not grow the memory, at 1 and at 2 threads.
. "${BASH_SOURCE%/*}/lib.sh"

compile regions regions.c -fopenmp
seconds=100
for threads in 1 2; do
	same_behaviour "regions-$threads" "$work/regions" 1000000 $threads
	grep grew "$work/regions-$threads.err"
	before=$(awk '$1 == "VmHWM" { print $2 }' "$work/regions-$threads.bare.err")
	after=$(awk '$1 == "VmHWM" { print $2 }' "$work/regions-$threads.err")
	expect "$threads threads: memory added is at most 20 MB" between -1000 $((after - before)) 20480
	folded "regions-$threads" --metric visits
	expect "$threads threads: every region was counted" \
		test "$(path_sum "regions-$threads" '^main;short_region;omp parallel @[^;]*$')" = 1000000
done
finish
