#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# After kill -9, the trace has all buffers that were full, and a profile names what the trace refers to.
. "${BASH_SOURCE%/*}/trace_lib.sh"
compile_events

out=$work/killed.heddle.d
HEDDLE_TRACE=1 HEDDLE_TRACE_BUFFER=4K HEDDLE_OUTPUT=$out LD_PRELOAD=$library \
	"$work/trace_events" 2 40000 wait > "$work/killed.out" 2> "$work/killed.err" &
victim=$!
wait_until grep -q waits "$work/killed.out"
wait_until has_profiles killed 1
sleep 0.1
kill -KILL "$victim"
wait "$victim" 2> /dev/null
trace_read killed
sound killed
expect "one profile" test "$(profile_files killed)" = 1
# The two buffers that were not full have 4 KiB each, and a record has at least two bytes.
expect "visits" between 38000 "$(trace_sum killed visits)" 40000
expect "the trace has no end" test "$(trace_sum killed ended)" = 0
finish
