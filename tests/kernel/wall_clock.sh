#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Sampling on the wall clock shows where a program waits; on the CPU clock, waiting counts nothing. Of the times that
# the program measures itself, a tenth and 30 ms may be charged elsewhere: a virtual machine may delay timers that long.
. "${BASH_SOURCE%/*}/../run/lib.sh"

compile sleeps sleeps.c
same_behaviour cpu "$work/sleeps"
folded cpu --metric cpu-time
expect "CPU time is where it burns" cpu_time cpu 1.8e8 '^main;burn_here(;|$)' 2.4e8
expect "CPU time is not where it sleeps" cpu_time cpu 0 '^main;sleep_here(;|$)' 1e7

run_options=(--sample-clock wall)
same_behaviour wall "$work/sleeps"
folded wall --metric wall-time
# near KEY VALUE: the time that the program measured itself, within a tenth and a few periods: the machine may be busy.
near() {
	local truth
	truth=$(awk -v key="$1" '$1 == key { print $2 }' "$work/wall.err")
	between "$(awk -v t="$truth" 'BEGIN { printf "%.0f", t * .9 - 3e7 }')" "$2" "$(awk -v t="$truth" 'BEGIN { printf "%.0f", t * 1.1 + 3e7 }')"
}
expect "wall time where it sleeps" near sleep_ns "$(path_sum wall '^main;sleep_here(;|$)')"
expect "wall time where it burns" near burn_ns "$(path_sum wall '^main;burn_here(;|$)')"
finish
