#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program that blocks the signal used for samples and waits for its own signals of that number gets them as without
# Heddle: by signalfd, sigwait, sigsuspend and ppoll. Its threads are still sampled.
. "${BASH_SOURCE%/*}/lib.sh"

# waits NAME SIGNAL
waits() {
	sampled_all "$1" $((3 * 10 + 20 + 3 * 20 + 3 * 10 + 100))000000 '(^|;)burn_here(;|$)' "$work/waits" "$2"
	expect "$1: no wait of the bare program is without end" test "$(grep -c ': status 0' "$work/$1.bare.out")" = 7
	expect "$1: sampled with all signals blocked" has_path "$1" '(^|;)burn_beside(;|$)'
	expect "$1: all CPU time with signals blocked" is_sum "$1.simulated" '(^|;)burn_beside(;|$)' 150000000
}

compile waits waits.c
for signal in 5 23; do
	waits "default-$signal" "$signal"
	run_options=(--sample-signal "$signal")
	waits "chosen-$signal" "$signal"
	run_options=()
done
run_options=(--sample-source posix)
waits posix 23
run_options=(--sample-clock wall)
same_behaviour wall "$work/waits" 23
same_behaviour wall-thread "$work/waits" 23 30
finish
