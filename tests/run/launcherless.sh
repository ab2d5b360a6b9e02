#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Without a launcher, the OpenMP runtime itself finds the tool. The test run_truth checks the time of each path.
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/truth_paths.sh"

compile truth truth.c -fopenmp
export OMP_TOOL=enabled OMP_TOOL_LIBRARIES=$library HEDDLE_SAMPLE_HZ=1000 HEDDLE_OUTPUT=$work/alone.heddle.d
bare alone "$work/truth" 2 3000
unset OMP_TOOL OMP_TOOL_LIBRARIES HEDDLE_SAMPLE_HZ HEDDLE_OUTPUT
expect "ends well" ended alone "exit 0"
expect "one profile file" test "$(profile_files alone)" = 1
truth_whole alone
whole_paths alone < <(truth_paths exact)
finish
