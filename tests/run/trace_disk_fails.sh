#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A disk is full or broken: the program and its profile are not affected, what was written can be read, and one line
# says what happened. A disk that writes in parts, or interrupts calls, loses nothing.
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

no_line() { ! grep -- "$1" "$2"; }
traced all "$work/trace_events" 2 40000
all=$(trace_sum all info_records)

# failed NAME ERRNO WORDS: the trace ends early, and says so
failed() {
	expect "$1: outcome" ended "$1" "exit 0"
	expect "$1: the program's output" grep -q 'threads, 40000 events each' "$work/$1.out"
	expect "$1: one line" test "$(heddle_lines "$1")" = 1
	expect "$1: it says what, where and what to do" grep -q "^heddle: the trace ends here: cannot write .*-trace: $3" "$work/$1.err"
	expect "$1: the profile has all visits" profile_visits "$1" 40000
	sound "$1"
	expect "$1: some events were written" test "$(trace_sum "$1" events)" -gt 1000
	expect "$1: the program's trace has no end" test "$(grep -c ended=0 "$work/$1.trace")" = 1
	expect "$1: its INFO says why" test "$(awk -v name="$2" '{ for (i = 1; i <= NF; i++) if ($i == "info_error=" name) print 1 }' "$work/$1.trace")" = 1
	expect "$1: no buffer was full for lack of a larger one" test "$(trace_sum "$1" info_dropped)" = 0
	# Each chunk begins with the open regions; records lost do not include these.
	expect "$1: recorded and lost events are all events" between $((all * 95 / 100)) \
		$(($(trace_sum "$1" info_records) + $(trace_sum "$1" info_lost))) "$all"
	"$heddle" info "$work/$1.heddle.d" > "$work/$1.info"
	expect "$1: info says how much and why" grep -q "lost .* events: they could not be written: $3" "$work/$1.info"
	expect "$1: info does not speak of buffers" no_line 'trace-buffer' "$work/$1.info"
}

profile_visits() {
	folded "$1" --metric visits
	[ "$(path_sum "$1" '(inner|outer)$')" = "$2" ]
}

for error in ENOSPC EIO EDQUOT; do
	on_disk "$error" "50000 $error" "$work/trace_events" 2 40000
done
failed ENOSPC 28 'No space left on device; .*free space, or .*--trace-dir'
failed EIO 5 'Input/output error; .*--trace-dir'
failed EDQUOT 122 'Disk quota exceeded; .*free space, or .*--trace-dir'
finish
