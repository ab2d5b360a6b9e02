#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Real waiting, with real timers and events: known times are charged to the functions that others waited for. The error
# may be two percentage points of all waiting: a thread that loses the processor for some milliseconds while it reports
# a wait is charged with them, and a virtual machine may delay a timer by 50 ms of two seconds. run_blame_truth checks
# exact values on each runtime.
. "${BASH_SOURCE%/*}/../run/lib.sh"
run_options=(--blame --sample-clock wall) # this clock runs without a processor, too

# charged NAME: compares the time on each line of the output with the blame of paths through that line's function
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

# try NAME PROGRAM HZ: up to three attempts, since an error of the profile would be there each time
try() {
	local attempt
	hz=$3
	for attempt in 1 2 3; do
		measured "$1" env OMP_WAIT_POLICY=active "$work/$2" 3 8
		expect "$1: ends well" ended "$1" "exit 0"
		folded "$1" --metric blame
		charged "$1" && break
	done
	expect "$1: waiting is charged to the functions that caused it" charged "$1"
}
compile truth blame_truth.c -fopenmp
compile functions blame_truth.c -fopenmp -finstrument-functions
try sampled truth 1000
try events functions 0
finish
