#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Without a launcher, pthread_create is not intercepted: threads unknown to OpenMP are still sampled.
. "${BASH_SOURCE%/*}/lib.sh"

compile pthreads pthreads.c -fopenmp
export OMP_TOOL=enabled OMP_TOOL_LIBRARIES=$library HEDDLE_SAMPLE_HZ=1000 HEDDLE_OUTPUT=$work/alone.heddle.d
bare alone "$work/pthreads"
unset OMP_TOOL OMP_TOOL_LIBRARIES HEDDLE_SAMPLE_HZ HEDDLE_OUTPUT
expect "ends well" ended alone "exit 0"
folded alone --metric cpu-time
whole_paths alone <<- 'EOT'
	burn_in_thread ^worker;burn_in_thread(;|$)
	burn_in_region ^main;omp parallel @[^;]*;burn_in_region(;|$)
EOT
# A thread is found within some milliseconds of its start. If one were not found, 500 ms would be missing.
expect "three threads burned 500 ms each, the region's two 300" between 1.8e9 "$(path_sum alone .)" 3e9
finish
