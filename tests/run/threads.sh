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
sampled_all churn 400000000 '(^|;)return_argument;burn_in_thread(;|$)' "$work/threads" churn
finish
