#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs with their own handlers, masks, timers, jumps and stacks, at 1 and at 10 kHz.
. "${BASH_SOURCE%/*}/lib.sh"

compile signals signals.c
for hz in 1000 10000; do
	for way in own_sigprof own_timers every_signal questions reset jump deep_jump alternate_stack coroutines; do
		same_behaviour "$way-$hz" "$work/signals" "$way"
		[ "$way" = questions ] && continue # burns nothing
		folded "$way-$hz" --metric cpu-time
		expect "$way-$hz: sampled" has_path "$way-$hz" '(^|;)burn_here(;|$)'
	done
	sampled_all "blocked-$hz" 450000000 '(^|;)burn_blocked;burn_here(;|$)' "$work/signals" blocked
done
finish
