#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A phase in a program without optimization and debug information is below the function that begins it, not below the
# call in Heddle's header.
. "${BASH_SOURCE%/*}/lib.sh"
simulate
for compiler in "$HEDDLE_CLANG" gcc; do
	CC=$compiler compile unoptimized unoptimized_phase.c -O0 -g0 -I"$HEDDLE_SOURCE/include"
	measured unoptimized "$work/unoptimized"
	folded unoptimized --metric cpu-time
	expect "$compiler: the phase is below its function" has_path unoptimized '^main;step;phase step(;|$)'
	expect "$compiler: no function of the header is on the path" no_path unoptimized 'heddle_phase'
done
finish
