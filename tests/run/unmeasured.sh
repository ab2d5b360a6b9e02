#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Threads that the program excludes by heddle_unmeasured_threads are in no report: their paths, CPU time, number and
# memory are missing. Those of the program's other threads are present, whenever they were created.
. "${BASH_SOURCE%/*}/lib.sh"

compile unmeasured unmeasured.c -I "$HEDDLE_SOURCE/include"

threads_shown() { in_time "$heddle" report "$work/$1.heddle.d" --threads | grep -cE '[0-9]+\.[0-9]+ +(main|thread)'; }

simulate
only_ours() {
	local name=$1
	folded "$name" --metric cpu-time
	expect "$name: cpu-time is the program's threads'" is_sum "$name" . 600000000
	expect "$name: time of the program's threads" is_sum "$name" '(^|;)burn_in_program(;|$)' 600000000
	expect "$name: no path of the helpers" no_path "$name" 'helper|helpers|burn_inside'
}

for hz in 1000 100 0; do
	same_behaviour "plain-$hz" "$work/unmeasured"
	[ "$hz" = 0 ] || only_ours "plain-$hz"
	expect "at $hz Hz: main and two threads are shown" test "$(threads_shown "plain-$hz")" = 3
	expect "at $hz Hz: no phase of a helper" test "$("$heddle" info "$work/plain-$hz.heddle.d" | grep -c visits)" = 0
done

hz=1000
same_behaviour constructor "$work/unmeasured" constructor
only_ours constructor
same_behaviour running "$work/unmeasured" running
only_ours running

# The process's CPU time leaves out that of excluded threads, ended or running: else samples would seem to be missing.
for name in plain-1000 running; do
	expect "$name: the process's CPU time" grep -qE '^ *lasted .*, 600(\.0*)? ms CPU' <("$heddle" info "$work/$name.heddle.d")
done

# An exit or a fork in an excluded thread has no effect on the rest, and the child of that fork is excluded, too.
BURN_PERCENT=10 bare exit "$work/unmeasured" exit
measured exit "$work/unmeasured" exit
expect "exit in an excluded thread" ended exit "exit 3"
folded exit --metric cpu-time
expect "exit: nothing of the helpers'" no_path exit 'helper|burn_inside'
same_behaviour fork "$work/unmeasured" fork
only_ours fork

# Memory: excluded threads' memory is not recorded, and the program does not crash.
run_options=(--memory)
runner=$heddle
same_behaviour memory "$work/unmeasured"
folded memory --metric allocations
expect "memory: no allocation of a helper" no_path memory 'helper|burn_inside|allocate_here'
finish
