#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program that blocks the signal of samples and waits for its own gets them as without Heddle: by signalfd, sigwait,
# sigsuspend and ppoll. Its threads are sampled further.
. "${BASH_SOURCE%/*}/lib.sh"

# waits NAME SIGNAL
waits() {
	same_behaviour "$1" "$work/waits" "$2"
	expect "$1: the program itself waits for nothing in vain" test "$(grep -c ': status 0' "$work/$1.bare.out")" = 7
	folded "$1" --metric cpu-time
	expect "$1: sampled" cpu_time "$1" 1.5e8 '(^|;)burn_here(;|$)' 4e8
	expect "$1: sampled with all signals blocked" cpu_time "$1" 2e8 '(^|;)burn_beside(;|$)' 4e8
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
