#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Both buffers of a thread are full: with `drop` its events are dropped and counted, and the next chunk has the count; a
# disk that does not respond at all delays the program for a few seconds only.
. "${BASH_SOURCE%/*}/trace_lib.sh"
compile_events

run_options=(--trace-buffer 4K --trace-full drop)
on_disk drop slow "$work/trace_events" 2 4000000
expect "drop: outcome" ended drop "exit 0"
sound drop
expect "drop: events were dropped" test "$(trace_sum drop info_dropped)" -gt 1000
expect "drop: no thread waited" test "$(trace_sum drop info_waits)" = 0
# Events dropped after the last chunk are in no mark.
expect "drop: marks say how many" between 1 "$(trace_sum drop dropped)" "$(trace_sum drop info_dropped)"
expect "drop: recorded and dropped are all" between 8000000 \
	$(($(trace_sum drop info_records) + $(trace_sum drop info_dropped))) 8020000

run_options=(--trace-buffer 4K)
start=$(date +%s)
on_disk hang "50000 hang" "$work/trace_events" 2 400000 exit
seconds_taken=$(($(date +%s) - start))
expect "hang: outcome" ended hang "exit 0"
expect "hang: it took $seconds_taken s" test "$seconds_taken" -lt $((seconds / 8))
expect "hang: one line" test "$(heddle_lines hang)" = 1
expect "hang: it says so" grep -q 'the trace ends here: .*no progress for two seconds' "$work/hang.err"
folded hang --metric visits
expect "hang: the profile has all visits" test "$(path_sum hang '(inner|outer)$')" = 400000
# The chunk whose write hangs is an incomplete end of the file, which readers ignore.
expect "hang: what was written can be read" test "$(trace_sum hang errors)$(trace_sum hang gaps)" = 00
expect "hang: some events were written" test "$(trace_sum hang events)" -gt 1000

run_options=(--trace-buffer 4K)
on_disk removed "50000 remove" "$work/trace_events" 2 40000
expect "removed: outcome" ended removed "exit 0"
expect "removed: a line" grep -q 'the trace ends here: .*the directory was removed' "$work/removed.err"
sound removed
finish
