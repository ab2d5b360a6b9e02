#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Real waiting, by real timers and events: known times are charged to the functions that others waited for. They may err
# by two percentage points of all waiting: a thread that loses the processor for some milliseconds while it reports a
# wait is charged with them, and a virtual machine may hold up a timer for 50 ms of two seconds. Exactly, on each
# runtime, it is run_blame_truth's.
. "${BASH_SOURCE%/*}/../run/lib.sh"
run_options=(--blame --sample-clock wall) # time passes when there is no processor, too

# charged NAME: each function's line of the output, against the blame of paths through it
charged() {
	local function truth given all
	all=$(path_sum "$1" .)
	while read -r function truth; do
		given=$(path_sum "$1" "(^|;)$function(;|$)")
		awk -v truth="$truth" -v given="$given" -v all="$all" \
			'BEGIN { d = 100 * (given - truth) / all; exit !(truth > 0 && d >= -2 && d <= 2) }' ||
			{ echo "  $1: $function: waited $truth, charged $given, of $all"; return 1; }
	done < "$work/$1.out"
}

# try NAME PROGRAM HZ: an error of the profile is there each time
try() {
	local attempt
	hz=$3
	for attempt in 1 2 3; do
		measured "$1" env OMP_WAIT_POLICY=active "$work/$2" 3 8
		expect "$1: ends well" ended "$1" "exit 0"
		folded "$1" --metric blame
		charged "$1" && break
	done
	expect "$1: what others waited for is charged" charged "$1"
}
compile truth blame_truth.c -fopenmp
compile functions blame_truth.c -fopenmp -finstrument-functions
try sampled truth 1000
try events functions 0
finish
