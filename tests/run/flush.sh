#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A killed process leaves the profile of its last flush, with and without samples.
. "${BASH_SOURCE%/*}/lib.sh"

compile pthreads pthreads.c -fopenmp
for hz in 0 1000; do
	out=$work/flush-$hz.heddle.d
	HEDDLE_FLUSH_SECONDS=1 HEDDLE_SAMPLE_HZ=$hz HEDDLE_OUTPUT=$out LD_PRELOAD=$library \
		"$work/pthreads" 60000 > /dev/null 2>&1 &
	victim=$!
	wait_until has_profiles "flush-$hz" 1
	kill -KILL "$victim"
	wait "$victim" 2> /dev/null
	expect "$hz Hz: one whole profile file" test "$(profile_files "flush-$hz")" = 1
	timeout "$seconds" "$heddle" info "$out" > "$work/info-$hz"
	expect "$hz Hz: it says what it is" grep -q 'ended by *flush' "$work/info-$hz"
done
finish
