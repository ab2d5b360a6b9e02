#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A disk that is full or broken: the program and its profile are unharmed, what was written can be read, and one line
# says what happened. A disk that writes in parts, or interrupts, loses nothing.
. "${BASH_SOURCE%/*}/trace_lib.sh"
compile_events
run_options=(--trace-buffer 4K)

for how in short eintr slow; do
	on_disk "$how" "$how" "$work/trace_events" 2 20000
	expect "$how: outcome" ended "$how" "exit 0"
	whole "$how" 20000
	expect "$how: no message" test "$(heddle_lines "$how")" = 0
done
expect "slow: threads waited" test "$(trace_sum slow info_waits)" -gt 0

# failed NAME WORDS: the trace ends early, and says so
failed() {
	expect "$1: outcome" ended "$1" "exit 0"
	expect "$1: the program's output" grep -q 'threads, 40000 events each' "$work/$1.out"
	expect "$1: one line" test "$(heddle_lines "$1")" = 1
	expect "$1: it says what, where and what to do" grep -q "^heddle: the trace ends here: cannot write .*-trace: $2" "$work/$1.err"
	expect "$1: the profile has all visits" profile_visits "$1" 40000
	sound "$1"
	expect "$1: some of it is there" test "$(trace_sum "$1" events)" -gt 1000
	expect "$1: the program's trace has no end" test "$(grep -c ended=0 "$work/$1.trace")" = 1
	expect "$1: its INFO says that some is not" test "$(trace_sum "$1" info_dropped)" -gt 0
}

profile_visits() {
	folded "$1" --metric visits
	[ "$(path_sum "$1" '(inner|outer)$')" = "$2" ]
}

for error in ENOSPC EIO EDQUOT; do
	on_disk "$error" "50000 $error" "$work/trace_events" 2 40000
done
failed ENOSPC 'No space left on device; .*free space, or .*--trace-dir'
failed EIO 'Input/output error; .*--trace-dir'
failed EDQUOT 'Disk quota exceeded; .*free space, or .*--trace-dir'
finish
