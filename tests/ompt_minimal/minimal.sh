#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A runtime with OpenMP 5's tool interface that is not LLVM's: paths and shares are correct, in whatever form it reports
# frames, and one line says which events it does not send.
. "${BASH_SOURCE%/*}/../run/lib.sh"

program=$HEDDLE_BUILD/tests/ompt_minimal_program
for MINIMAL_FRAMES in framepointer cfa stackaddress; do
	export MINIMAL_FRAMES
	measured "$MINIMAL_FRAMES" "$program" 400
	expect "$MINIMAL_FRAMES: ends well" ended "$MINIMAL_FRAMES" "exit 0"
	expect "$MINIMAL_FRAMES: one line says what is missing" grep -q \
		'^heddle: OpenMP context is incomplete: this runtime does not send work, sync_region, mutex_acquire$' \
		"$work/$MINIMAL_FRAMES.err"
	expect "$MINIMAL_FRAMES: no other line" test "$(heddle_lines "$MINIMAL_FRAMES")" = 1
	folded "$MINIMAL_FRAMES" --metric cpu-time
	region='^main;solve;omp parallel @program.c:[0-9]+;share;'
	expect "$MINIMAL_FRAMES: both threads' shares" between 700000000 "$(path_sum "$MINIMAL_FRAMES" "${region}burn_share(;|$)")" 1100000000
	expect "$MINIMAL_FRAMES: both tasks" between 700000000 \
		"$(path_sum "$MINIMAL_FRAMES" "${region}omp task @program.c:[0-9]+;job;burn_job(;|$)")" 1100000000
	expect "$MINIMAL_FRAMES: nothing of the runtime in a path" no_path "$MINIMAL_FRAMES" 'minimal_|run_share|call;|worker;'
done
hz=0 measured events "$program" 20
folded events --metric visits
expect "visits of the region" test "$(path_sum events '^omp parallel @program.c:[0-9]+$')" = 1
expect "visits of the task" test "$(path_sum events 'omp task @program.c:[0-9]+$')" = 2
# Addresses of constructs may be missing: Heddle then uses the callers on the stack.
MINIMAL_ADDRESSES=none measured none "$program" 400
folded none --metric cpu-time
expect "no addresses: both threads' shares" between 700000000 "$(path_sum none "${region}burn_share(;|$)")" 1100000000
expect "no addresses: both tasks" between 700000000 \
	"$(path_sum none "${region}omp task @program.c:[0-9]+;job;burn_job(;|$)")" 1100000000
expect "heddle info names the runtime" grep -q 'Minimal 1.0 (OpenMP 202411)' \
	<(in_time "$heddle" info "$work/events.heddle.d")
finish
