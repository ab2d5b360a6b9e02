#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Known waiting is charged to the functions that others waited for, within two points of all waiting, on each runtime:
# with samples, and with the events of instrumented functions alone.
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"
run_options=(--blame --sample-clock wall) # time passes when there is no processor, too

# NAME FUNCTION METRIC: what the program says of the function, against the blame of paths through it.
charged() {
	local truth given all
	truth=$(awk -v key="$2" '$1 == key { print $2 }' "$work/$1.out")
	all=$(path_sum "$1" '.')
	given=$(path_sum "$1" "(^|;)$2(;|$)")
	awk -v truth="$truth" -v given="$given" -v all="$all" \
		'BEGIN { d = 100 * (given - truth) / all; exit !(truth > 0 && d >= -2 && d <= 2) }' ||
		{ echo "  $1: $2: waited $truth, charged $given, of $all"; false; }
}

measure() {
	# Asleep in a barrier, threads of LLVM 19 may overlook a task.
	measured "$1" env OMP_WAIT_POLICY=active "$work/$2" 3 8
	expect "$1: ends well" ended "$1" "exit 0"
	folded "$1" --metric blame
}
all_charged() {
	local name=$1 function
	shift
	for function; do
		charged "$name" "$function" || return
	done
}

# Events are exact. Samples may be late on a virtual machine: while the host holds up the processor that a timer is on,
# the thread runs on another without one. Only a fault of Heddle fails in each of three attempts.
try() {
	local name=$2-$1 program=$3 function attempt
	hz=$4
	shift 4
	measure "$name" "$program"
	for ((attempt = 1; hz > 0 && attempt < 3; attempt++)); do
		all_charged "$name" "$@" && break
		echo "  $name: measured again"
		measure "$name" "$program"
	done
	for function; do
		expect "$name: $function is to blame for what others waited for it" charged "$name" "$function"
	done
}

try_runtime() {
	try "$1" sampled truth 1000 serial late holder task_body
	try "$1" events functions 0 serial late holder task_body
}

compile truth blame_truth.c -fopenmp
compile functions blame_truth.c -fopenmp -finstrument-functions
for_each_runtime try_runtime
finish
