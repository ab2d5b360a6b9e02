#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# If Heddle is loaded during a run, it does not charge earlier time to the first path that it samples.
. "${BASH_SOURCE%/*}/lib.sh"

compile late_library.so late_library.c -fopenmp -fPIC -shared -DLIBRARY -Wno-missing-prototypes
compile late late_library.c -ldl
export OMP_TOOL=enabled OMP_TOOL_LIBRARIES=$library HEDDLE_SAMPLE_HZ=1000 HEDDLE_OUTPUT=$work/late.heddle.d
bare late "$work/late" "$work/late_library.so"
unset OMP_TOOL OMP_TOOL_LIBRARIES HEDDLE_SAMPLE_HZ HEDDLE_OUTPUT
expect "ends well" ended late "exit 0"
folded late --metric cpu-time
expect "the later path has its own time" has_path late '^main;.*burn_late(;|$)'
expect "what was before, 300 ms, is not measured; what came after, 100 ms, is" between 0.09e9 "$(path_sum late .)" 0.29e9
finish
