#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs without OpenMP: one thread, pthreads, -O3 without frame pointers, static functions with stripped names.
. "${BASH_SOURCE%/*}/lib.sh"

far='(burn_far;)+burn_far(;|$)'
simulate
compile plain plain.c -fno-omit-frame-pointer
CC=gcc compile bare_registers plain.c -O3 -fomit-frame-pointer
cp "$work/plain" "$work/stripped" && strip "$work/stripped"

for program in plain bare_registers; do
	measured "$program" "$work/$program"
	expect "$program: ends well" ended "$program" "exit 0"
	expect "$program: Heddle has nothing to say" test "$(heddle_lines "$program")" = 0
	truth_whole "$program"
	truth_exact "$program" <<-EOT
		burn_near ^main;worker;burn_near(;|$)
		burn_far ^main;worker;$far
	EOT
done

measured pthreads "$work/bare_registers" 4
expect "pthreads: ends well" ended pthreads "exit 0"
truth_whole pthreads
truth_exact pthreads <<-EOT
	burn_near (^|;)worker;burn_near(;|$)
	burn_far (^|;)worker;$far
EOT

measured stripped "$work/stripped"
expect "stripped: ends well" ended stripped "exit 0"
folded stripped --metric cpu-time
expect "stripped: module and offset instead of names" has_path stripped '(^|;)stripped\+0x[0-9a-f]+(;|$)'
expect "stripped: its time is there" between 15e8 "$(path_sum stripped 'stripped')" 21e8
finish
