#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Known waiting is charged to the functions that others waited for, to the nanosecond, on each runtime: with samples, and
# with the events of instrumented functions alone.
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"
run_options=(--blame --sample-clock wall) # time passes when there is no processor, too

# NAME FUNCTION: what the program says of the function is the blame of paths through it, and nothing else has any.
charged() {
	expect "$1: $2 is to blame for what others waited for it" is_sum "$1" "(^|;)$2(;|$)" \
		"$(awk -v key="$2" '$1 == key { print $2 }' "$work/$1.out")"
}

measure() {
	# Asleep in a barrier, threads of LLVM 19 may overlook a task.
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
	expect "$name: and nothing else has any" is_sum "$name" . "$(awk '{ sum += $2 } END { printf "%.0f", sum }' "$work/$name.out")"
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
