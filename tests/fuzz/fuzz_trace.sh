#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fuzzes the reader of traces: a million inputs, or as many as fit into HEDDLE_FUZZ_SECONDS (60). No input may crash it,
# take longer than 5 seconds, or more memory than its size warrants; what an event names must exist.
fuzzer=$HEDDLE_BUILD/tests/fuzz_trace
if [ ! -x "$fuzzer" ]; then
	echo "skipped: no clang with libFuzzer here, or a build with sanitizers of its own"
	exit 77
fi
work=$(TMPDIR=$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}") mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/seeds" "$work/found"
"$HEDDLE_BUILD/tests/trace_seeds" "$work/seeds" || exit 1
export HEDDLE_FUZZ_DIRECTORY="$work"
"$fuzzer" -runs="${HEDDLE_FUZZ_RUNS:-1000000}" -max_total_time="${HEDDLE_FUZZ_SECONDS:-60}" -timeout=5 -max_len=4096 \
	-malloc_limit_mb=16 -rss_limit_mb=1024 -artifact_prefix="$work/" "$work/found" "$work/seeds" >"$work/log" 2>&1
status=$?
if [ $status -ne 0 ]; then
	grep -v '^#' "$work/log" | tail -n 60
	for input in "$work"/crash-* "$work"/timeout-* "$work"/oom-*; do
		[ -e "$input" ] && base64 "$input"
	done
	exit 1
fi
runs=$(sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "$work/log")
echo "$runs inputs"
[ "$runs" -ge 1000 ] || { echo "too few"; exit 1; }
