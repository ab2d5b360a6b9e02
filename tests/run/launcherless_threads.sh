#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Without a launcher pthread_create is not intercepted: threads unknown to OpenMP are sampled all the same.
. "${BASH_SOURCE%/*}/lib.sh"

compile pthreads pthreads.c -fopenmp
export OMP_TOOL=enabled OMP_TOOL_LIBRARIES=$library HEDDLE_SAMPLE_HZ=1000 HEDDLE_OUTPUT=$work/alone.heddle.d
bare alone "$work/pthreads"
unset OMP_TOOL OMP_TOOL_LIBRARIES HEDDLE_SAMPLE_HZ HEDDLE_OUTPUT
expect "ends well" ended alone "exit 0"
folded alone --metric cpu-time
expect "three threads burned half a second each" \
	between 1.35e9 "$(path_sum alone '^worker;burn_in_thread(;|$)')" 1.6e9
expect "the region's two threads are under it" \
	between 0.55e9 "$(path_sum alone '^main;omp parallel @[^;]*;burn_in_region(;|$)')" 0.65e9
finish
