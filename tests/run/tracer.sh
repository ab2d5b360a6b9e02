#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A debugger's child is sampled until it requests tracing, and its tracer sees no signal of Heddle's that could be
# mistaken for the stop that it waits for.
. "${BASH_SOURCE%/*}/lib.sh"

compile tracer tracer.c
simulate
hz=10000
for way in exec plain; do
	same_behaviour "$way" "$work/tracer" "$way"
	[ "$way" = exec ] && main=$((500 + 20 * 50)) || main=500 # samples of 0.1 ms
	folded "$way" --metric samples
	expect "$way: the debugger is sampled, as is what its children execute" is_sum "$way" '(^|;)main;burn_ms' "$main"
	expect "$way: children are sampled until they request tracing" is_sum "$way" '(^|;)be_traced;burn_ms' $((20 * 30))
	"$heddle" report "$work/$way.heddle.d" > "$work/$way.report" 2>&1
	expect "$way: a note says so" grep -q 'requested tracing' "$work/$way.report"
done
expect "exec: the stop is the one of exec" test "$(grep -c '^exit 5, 0 traps$' "$work/exec.out")" = 20
finish
