#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# --trace-dir: traces are written there and are in the measurement after the run, complete. If the measurement is on
# another file system, they are copied. Traces that cannot be copied stay, and the measurement has links to them.
. "${BASH_SOURCE%/*}/trace_lib.sh"
compile_events

files_in() { find "$1" -name '*-trace' -type f 2> /dev/null | wc -l; }

# brought NAME DIRECTORY: all traces are in the measurement, and none is left in DIRECTORY
brought() {
	whole "$1" 120000
	expect "$1: files, not links" test "$(files_in "$work/$1.heddle.d")" = 2
	expect "$1: nothing is left in $2" test -z "$(ls -A "$2")"
	expect "$1: no message" test "$(heddle_lines "$1")" = 0
}

run_options=(--trace-buffer 4K --trace-dir "$work/same")
traced same "$work/trace_events" 2 40000 fork
brought same "$work/same"

# Relative to the directory in which `heddle run` starts. A killed process cannot move its trace.
cd "$work" || exit 1
run_options=(--trace-buffer 4K --trace-dir relative)
traced killed "$work/trace_events" 2 40000 kill
sound killed
expect "killed: a file, not a link" test "$(files_in "$work/killed.heddle.d")" = 1
expect "killed: nothing is left" test -z "$(ls -A "$work/relative")"

run_options=(--trace-dir /proc/nowhere)
measured nowhere "$work/trace_events" 2 40000
expect "nowhere: refused before the start" ended nowhere "exit 6"
expect "nowhere: the program did not run" test ! -s "$work/nowhere.out"

other=$(mktemp -d /dev/shm/heddle-test.XXXXXX 2> /dev/null)
# shellcheck disable=SC2317 # called by the trap
cleanup_both() { rm -rf "${other:-/nowhere}"; cleanup; }
trap cleanup_both EXIT
if [ -z "$other" ] || [ "$(stat -c %d "$other")" = "$(stat -c %d "$work")" ]; then
	echo "copying not tried: there is no other file system"
	finish
fi
run_options=(--trace-buffer 4K --trace-dir "$other")
traced copied "$work/trace_events" 2 40000 fork
brought copied "$other"

# Without `heddle run`, traces stay in the directory.
HEDDLE_TRACE=1 HEDDLE_TRACE_DIR=$other HEDDLE_OUTPUT=$work/alone.heddle.d LD_PRELOAD=$library \
	"$work/trace_events" 2 40000 > "$work/alone.out" 2> "$work/alone.err"
expect "alone: the file stays" test "$(files_in "$other")" = 1
expect "alone: a line says where the trace is" grep -q "the trace stays in $other/.*-trace, on another file system" "$work/alone.err"
expect "alone: readers find it" test -s "$(echo "$work"/alone.heddle.d/*-trace)"

if [ "$(id -u)" = 0 ] && mkdir "$work/small" && mount -t tmpfs -o size=400k tmpfs "$work/small" 2> /dev/null; then
	# The measurement's disk is too small for the trace, but not for the profile.
	rm -rf "${other:?}"/*
	run_as full -- "$heddle" run --sample-hz "$hz" --trace --trace-dir "$other" -o "$work/small/out" -- "$work/trace_events" 2 400000
	expect "full: outcome" ended full "exit 0"
	expect "full: a line says where traces stay" grep -q "^heddle: traces stay in $other/.*No space left on device" "$work/full.err"
	expect "full: the file stays" test "$(files_in "$other")" = 1
	expect "full: no part of a copy is left" test -z "$(find "$work/small" -name '*.part')"
	python3 "$HEDDLE_SOURCE/tests/run/trace_read.py" "$work"/small/out/*-trace > "$work/full.trace"
	whole full 400000
	umount "$work/small"
else
	echo "a full disk not tried: mounting one needs root"
fi
finish
