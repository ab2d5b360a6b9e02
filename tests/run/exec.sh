#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# exec while samples are pending, at 10 kHz: no process is killed by a signal that the next program does not handle, and
# no time is counted twice, though the kernel's CPU clock continues.
. "${BASH_SOURCE%/*}/lib.sh"

compile children children.c
hz=10000
same_behaviour exec_loop "$work/children" exec_loop
same_behaviour chain "$work/children" chain 50
expect "a file for each program that a process became, not $(profile_files chain)" test "$(profile_files chain)" = 51
simulate
HEDDLE_SIMULATED_MACHINE=$work/machine measured become "$work/children" become # one CPU clock for both programs
folded become --metric cpu-time
expect "the first program's time" is_sum become '(^|;)burn_before(;|$)' 100000000
expect "the second program's time" is_sum become '(^|;)burn_child(;|$)' 100000000
expect "all time is counted once" is_sum become . 200000000
# The sum over both processes, as `heddle info` rounds it.
processes_cpu() { "$heddle" info "$work/become.heddle.d" | awk '/lasted/ { s += $4 } END { print s }'; }
expect "the processes' CPU times add up to it" test "$(processes_cpu)" = 200
finish
