#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Signal handlers leave calls of heddle.h by siglongjmp. What the program does then is measured.
. "${BASH_SOURCE%/*}/lib.sh"

compile values_left values_left.c -I "$HEDDLE_SOURCE/include"
for hz in 0 1000; do
	same_behaviour values_left "$work/values_left"
	folded values_left --metric visits
	expect "$hz Hz: later phases" test "$(path_sum values_left '(^|;)phase after$')" = 100
done
# What a thread does while it seems to be inside Heddle for ever is charged to [heddle], so one other sample suffices.
folded values_left --metric cpu-time
expect "later work is not Heddle's" test "$(path_sum values_left '(^|;)phase after(;burn_ms)?$')" -gt 0
finish
