#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What an undeferred task calls in a block (a critical region, with a lock held, in a taskgroup) is below that block,
# and what it calls before and after is not, even if the compiler inlined the task into the function that creates it.
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"

export OMP_WAIT_POLICY=passive
simulate
try_runtime() {
	local name=$2-$1 task='main;omp parallel @[^;]*;omp single @[^;]*;omp task @[^;]*' word
	measured "$name" "$work/$2"
	expect "$name: ends well" ended "$name" "exit 0"
	folded "$name" --metric cpu-time
	for word in critical lock taskgroup; do
		expect "$name: below the $word" has_path "$name" "^$task;omp $word @[^;]*;burn_in_$word"
		expect "$name: on no other path" no_path "$name" "omp task @[^;]*;burn_in_$word"
	done
	expect "$name: before" has_path "$name" "^$task;burn_before"
	expect "$name: after" has_path "$name" "^$task;burn_after"
}
compile inlined undeferred_blocks.c -fopenmp
compile outlined undeferred_blocks.c -fopenmp -O0
for_each_runtime try_runtime inlined
for_each_runtime try_runtime outlined
finish
