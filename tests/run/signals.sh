#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs with handlers, masks, timers, jumps and stacks of their own, at 1 and at 10 kHz.
. "${BASH_SOURCE%/*}/lib.sh"

compile signals signals.c
for hz in 1000 10000; do
	for way in own_sigprof own_timers every_signal questions blocked reset jump deep_jump alternate_stack coroutines; do
		same_behaviour "$way-$hz" "$work/signals" "$way"
		[ "$way" = questions ] && continue # burns nothing
		folded "$way-$hz" --metric cpu-time
		expect "$way-$hz: sampled" has_path "$way-$hz" '(^|;)burn_here(;|$)'
	done
	expect "blocked-$hz: sampled though all signals are blocked" \
		cpu_time "blocked-$hz" 3.6e8 '(^|;)burn_blocked;burn_here(;|$)' 5.4e8
done
finish
