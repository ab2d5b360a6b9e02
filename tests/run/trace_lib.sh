# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Helpers for scripts about traces, in addition to lib.sh:
#
#   traced NAME COMMAND...     as measured, with --trace
#   on_disk NAME HOW COMMAND... as traced, on a disk that tests/programs/trace_disk.c makes fail
#   trace_read NAME            writes trace_read.py's line for each file to $work/NAME.trace
#   trace_sum NAME WHAT        prints the sum of that number over all files
. "${BASH_SOURCE%/*}/lib.sh"
need python3

compile_events() { compile trace_events trace_events.c -I"$HEDDLE_SOURCE/include" -ldl; }

traced() {
	run_options+=(--trace)
	measured "$@"
	trace_read "$1"
}

on_disk() {
	local name=$1 how=$2
	shift 2
	[ -e "$work/disk.so" ] || compile disk.so trace_disk.c -shared -fPIC
	traced "$name" env LD_PRELOAD="$library:$work/disk.so" TRACE_DISK="$how" "$@"
}

trace_read() {
	find "$work/$1.heddle.d"* -name '*-trace' -print0 2> /dev/null |
		xargs -0r python3 "$HEDDLE_SOURCE/tests/run/trace_read.py" > "$work/$1.trace"
	sed "s/^/  $1: /" "$work/$1.trace"
}

trace_sum() { awk -v what="$2" '{ for (i = 1; i <= NF; i++) if (split($i, part, "=") && part[1] == what) sum += part[2] }
	END { printf "%.0f\n", sum }' "$work/$1.trace"; }

# whole NAME VISITS: the trace has that many visits, and no errors
whole() {
	expect "$1: all visits" test "$(trace_sum "$1" visits)" = "$2"
	expect "$1: nothing dropped" test "$(trace_sum "$1" dropped)$(trace_sum "$1" info_dropped)" = 00
	sound "$1"
	expect "$1: an end" test "$(trace_sum "$1" ended)" = "$(wc -l < "$work/$1.trace")"
	expect "$1: as many records as it says" test "$(trace_sum "$1" info_records)" = "$(trace_sum "$1" events)"
}

# agrees NAME: the profile made from the trace is the one that was measured
agrees() {
	expect "$1: the trace and the profile agree" "$heddle" info --check-trace "$work/$1.heddle.d"
}

# sound NAME: what is in the trace can be read
sound() {
	expect "$1: a trace" test -s "$work/$1.trace"
	expect "$1: no error" test "$(trace_sum "$1" errors)" = 0
	expect "$1: no gap" test "$(trace_sum "$1" gaps)" = 0
	expect "$1: no tail" test "$(trace_sum "$1" tail)" = 0
}
