#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Libraries start threads by nameless functions of theirs: no path shows these functions, whether a thread has samples
# or only a CPU time.
. "${BASH_SOURCE%/*}/lib.sh"

library_start='lib(omp|stdc\+\+|gomp)[^;]*\+0x'
compile cxx_threads cxx_threads.cpp
compile worker worker.c -fopenmp
for hz in 1000 1 0; do
	for program in cxx_threads worker; do
		name=$program-$hz
		measured "$name" "$work/$program"
		expect "$name: ends well" ended "$name" "exit 0"
		[ "$hz" = 0 ] && folded "$name" --metric wall-time || folded "$name" --metric cpu-time
		expect "$name: no start routine of a library" no_path "$name" "$library_start"
	done
done
expect "a sampled std::thread begins with its function" has_path cxx_threads-1000 ';pthread_create;(std::[^;]*;)*burn_in_thread(\([^;]*\))?(;|$)'
for hz in 1000 1; do
	expect "at $hz Hz the worker's time is its region's" between 9e7 "$(path_sum worker-$hz '(^|;)omp parallel @')" 1e10
done
# GCC's runtime does not report its threads.
CC=gcc compile worker_gomp worker.c -fopenmp
hz=1
measured gomp "$work/worker_gomp"
folded gomp --metric cpu-time
expect "GCC's runtime: no start routine" no_path gomp "$library_start"
finish
