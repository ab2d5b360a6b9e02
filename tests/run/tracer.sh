#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A debugger's child is sampled until it asks to be traced, and its tracer sees no signal of Heddle's that could be
# mistaken for the stop that it waits for.
. "${BASH_SOURCE%/*}/lib.sh"

compile tracer tracer.c
hz=10000
for way in exec plain; do
	same_behaviour "$way" "$work/tracer" "$way"
	folded "$way" --metric samples
	for attempt in 2 3; do # on a busy virtual machine its 50 ms may pass without a timer interrupt, though seldom
		has_path "$way" '(^|;)main;burn_ms' && break
		echo "  $way: measured again"
		again "$way" "$way-$attempt" && folded "$way-$attempt" --metric samples &&
			mv "$work/$way-$attempt.folded" "$work/$way.folded"
	done
	expect "$way: the debugger is sampled" has_path "$way" '(^|;)main;burn_ms'
	expect "$way: its children until then" has_path "$way" '(^|;)be_traced;burn_ms'
	"$heddle" report "$work/$way.heddle.d" > "$work/$way.report" 2>&1
	expect "$way: a note says so" grep -q 'asked to be traced' "$work/$way.report"
done
expect "exec: the stop is the one of exec" test "$(grep -c '^exit 5, 0 traps$' "$work/exec.out")" = 20
finish
