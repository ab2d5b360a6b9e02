#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# --trace-window: a program that ends before that time has no events in its trace. --trace-last: the trace has only the
# last ones, also after a crash. On the real machine: tests/kernel/trace_window.sh.
. "${BASH_SOURCE%/*}/trace_lib.sh"
compile trace_paced trace_paced.c -I"$HEDDLE_SOURCE/include" -ldl

# number NAME KEY
number() { trace_sum "$1" "$2"; }

run_options=(--trace-window 3000s:3010s)
traced later "$work/trace_paced" 100
expect "later: no events" test "$(number later events)" = 0
expect "later: same outcome" ended later "exit 0"

# Two threads have an event every 2 ms each. Buffers of 4 KiB hold some seconds of events at this pace, which must
# contain less than half of the time.
run_options=(--trace-last 500ms --trace-buffer 4K)
simulate
for end in exit abort; do
	traced "last_$end" "$work/trace_paced" 2000 "$end" 16
	expect "last $end: no error" test "$(number "last_$end" errors)$(number "last_$end" tail)" = 00
	expect "last $end: info says so" eval "'$heddle' info '$work/last_$end.heddle.d' | grep -Eq '^  partial +only the last 500 ms '"
	expect "last $end: both threads" test "$(number "last_$end" threads)" = 2
	expect "last $end: as long as requested" between 500 "$(number "last_$end" span_ms)" 600
	expect "last $end: the part is the last one" test "$(($(number "last_$end" from_ms) + $(number "last_$end" span_ms)))" = 2000
done
finish
