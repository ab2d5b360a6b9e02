#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Threads cancelled, detached, short-lived, on the smallest stacks, and with destructors.
. "${BASH_SOURCE%/*}/lib.sh"

compile threads threads.c
for hz in 1000 10000; do
	for way in cancel detach small_stack destructors; do
		same_behaviour "$way-$hz" "$work/threads" "$way"
		folded "$way-$hz"
		expect "$way-$hz: sampled" has_path "$way-$hz" '(^|;)burn_in_thread(;|$)'
	done
done
hz=1000
same_behaviour churn "$work/threads" churn
folded churn --metric cpu-time
had=$(sed -n 's/^the threads had \([0-9]*\) ns$/\1/p' "$work/churn.err")
charged=$(path_sum churn '(^|;)(return_argument|burn_in_thread)(;|$)')
expect "churn: the threads' time is there" between "$((had * 9 / 10))" "$charged" "$((had * 115 / 100))"
finish
