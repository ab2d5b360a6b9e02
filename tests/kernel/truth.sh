#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The kernel's timers interrupt each function for as long as it runs: one program, with two threads and with eight.
# Shares may be off by two percentage points: with 4500 samples, the standard deviation of the largest share, 15 %, is
# half a point, and a virtual machine may delay a timer by 50 ms, which is one point. run_truth checks the paths
# exactly.
. "${BASH_SOURCE%/*}/../run/lib.sh"
. "${BASH_SOURCE%/*}/../run/truth_paths.sh"
tolerance=2

compile truth truth.c -fopenmp
measured two "$work/truth" 2 4500
export OMP_WAIT_POLICY=passive # eight threads on fewer processors: active waiting would occupy them all
measured eight "$work/truth" 8 4500
for name in two eight; do
	expect "$name: ends well" ended "$name" "exit 0"
	expect "$name: no message of Heddle" test "$(heddle_lines "$name")" = 0
	truth_whole "$name"
	truth_shares "$name" < <(truth_paths exact)
done
folded two --metric cpu-time --runtime-frames
expect "runtime frames are shown on request" has_path two '(^|;)(__kmp|libomp)'
finish
