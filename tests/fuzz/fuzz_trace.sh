#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fuzzes the reader of traces: 100,000 inputs, or as many as fit into HEDDLE_FUZZ_SECONDS (60), with a process on each
# processor, four at most. No input may crash the reader, take longer than 5 seconds, or need more memory than its size
# justifies; everything that an event names must exist. HEDDLE_FUZZ_RUNS sets another number of inputs.
fuzzer=$HEDDLE_BUILD/tests/fuzz_trace
if [ ! -x "$fuzzer" ]; then
	echo "skipped: no clang with libFuzzer here, or a build with sanitizers of its own"
	exit 77
fi
work=$(TMPDIR=$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}") mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/seeds"
"$HEDDLE_BUILD/tests/trace_seeds" "$work/seeds" || exit 1
workers=$(nproc)
[ "$workers" -le 4 ] || workers=4
runs=$((${HEDDLE_FUZZ_RUNS:-100000} / workers))
# Freed memory is in quarantine for a shorter time, and has no stack traces, which took most of the time. To see them,
# run the input that was found by itself.
ASAN_OPTIONS=quarantine_size_mb=1:thread_local_quarantine_size_kb=64:malloc_context_size=0
export ASAN_OPTIONS

# fuzz WORKER
fuzz() {
	mkdir "$work/$1" "$work/$1/found"
	HEDDLE_FUZZ_WORKER=$1 HEDDLE_FUZZ_DIRECTORY="$work/$1" "$fuzzer" -runs="$runs" -max_total_time="${HEDDLE_FUZZ_SECONDS:-60}" -timeout=$((${HEDDLE_TEST_SECONDS:-240} / 48)) \
		-max_len=2048 -malloc_limit_mb=16 -rss_limit_mb=1024 -artifact_prefix="$work/$1/" "$work/$1/found" \
		"$work/seeds" >"$work/$1/log" 2>&1
	echo $? >"$work/$1/status"
}

worker=0
while [ "$worker" -lt "$workers" ]; do
	fuzz "$worker" &
	worker=$((worker + 1))
done
wait
inputs=0
for each in "$work"/[0-9]*; do
	if [ "$(cat "$each/status")" != 0 ]; then
		grep -v '^#' "$each/log" | tail -n 60
		for input in "$each"/crash-* "$each"/timeout-* "$each"/oom-*; do
			[ -e "$input" ] && base64 "$input"
		done
		exit 1
	fi
	done=$(sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "$each/log")
	inputs=$((inputs + done))
done
echo "$inputs inputs by $workers processes"
[ "$inputs" -ge 1000 ] || { echo "too few inputs"; exit 1; }
