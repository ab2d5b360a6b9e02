#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Known waiting time is charged to the functions that others waited for, to the nanosecond, on each runtime: with
# samples, and with only the events of instrumented functions.
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"
run_options=(--blame --sample-clock wall) # time passes without a processor, too

# charged NAME FUNCTION: the blame of paths with the function is the waiting time that the program printed for it.
charged() {
	expect "$1: $2 is to blame for what others waited for it" is_sum "$1" "(^|;)$2(;|$)" \
		"$(awk -v key="$2" '$1 == key { print $2 }' "$work/$1.out")"
}

measure() {
	# In LLVM 19's runtime, threads that sleep in a barrier may miss a task.
	measured "$1" env OMP_WAIT_POLICY=active "$work/$2" 3 8
	expect "$1: ends well" ended "$1" "exit 0"
	folded "$1" --metric blame
}
try() {
	local name=$2-$1 program=$3 function
	hz=$4
	shift 4
	measure "$name" "$program"
	for function; do
		charged "$name" "$function"
	done
	expect "$name: no other path has blame" is_sum "$name" . "$(awk '{ sum += $2 } END { printf "%.0f", sum }' "$work/$name.out")"
}

try_runtime() {
	try "$1" sampled truth 1000 serial late holder task_body
	try "$1" events functions 0 serial late holder task_body
}

simulate
compile truth blame_truth.c -fopenmp
compile functions blame_truth.c -fopenmp -finstrument-functions
for_each_runtime try_runtime
finish
