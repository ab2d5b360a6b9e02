#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Threads that the program excludes by heddle_unmeasured_threads are in no report: not their paths, not their CPU time,
# not their number, not their memory; the program's own are, whenever they were created.
. "${BASH_SOURCE%/*}/lib.sh"

compile unmeasured unmeasured.c -I "$HEDDLE_SOURCE/include"

ours() { sed -n 's/^ours \([0-9]*\) ns$/\1/p' "$work/$1.err"; }
threads_shown() { timeout "$seconds" "$heddle" report "$work/$1.heddle.d" --threads | grep -cE '[0-9]+\.[0-9]+ +(main|thread)'; }

# Start-up and what Heddle itself takes in the program's threads are not in `ours`.
only_ours() {
	local name=$1 time=$2 from to
	from=$((time * 98 / 100)) to=$((time * 105 / 100 + 25000000))
	folded "$name" --metric cpu-time
	expect "$name: cpu-time is the program's threads'" between "$from" "$(path_sum "$name" .)" "$to"
	expect "$name: theirs is there" between "$from" "$(path_sum "$name" '(^|;)burn_in_program(;|$)')" "$to"
	expect "$name: nothing of the helpers'" no_path "$name" 'helper|helpers|burn_inside'
}

for hz in 1000 100 0; do
	same_behaviour "plain-$hz" "$work/unmeasured"
	[ "$hz" = 0 ] || only_ours "plain-$hz" "$(ours "plain-$hz")"
	expect "at $hz Hz: main and two threads are shown" test "$(threads_shown "plain-$hz")" = 3
	expect "at $hz Hz: no phase of a helper" test "$("$heddle" info "$work/plain-$hz.heddle.d" | grep -c visits)" = 0
done

hz=1000
same_behaviour constructor "$work/unmeasured" constructor
only_ours constructor "$(ours constructor)"
same_behaviour running "$work/unmeasured" running
only_ours running "$(ours running)"

# The process's CPU time leaves out theirs, of ended and of running ones: else samples would seem to be missing.
for name in plain-1000 running; do
	number=$("$heddle" info "$work/$name.heddle.d" | sed -n 's/^ *lasted .*, \([0-9.]*\) m\{0,1\}s CPU.*/\1/p' | head -n 1)
	expected=$(awk -v ns="$(ours "$name")" 'BEGIN { print ns / 1e6 }')
	number=$(awk -v x="$number" 'BEGIN { print x < 10 ? x * 1000 : x }')
	expect "$name: the process's CPU time" between "$(awk -v x="$expected" 'BEGIN { print x * .98 }')" "$number" \
		"$(awk -v x="$expected" 'BEGIN { print x * 1.05 + 25 }')"
done

# Ends and forks in an excluded thread harm nothing, and a fork's child is not the program's either.
bare exit "$work/unmeasured" exit
measured exit "$work/unmeasured" exit
expect "exit in an excluded thread" ended exit "exit 3"
folded exit --metric cpu-time
expect "exit: nothing of the helpers'" no_path exit 'helper|burn_inside'
same_behaviour fork "$work/unmeasured" fork
only_ours fork "$(ours fork)"

# Memory: not recorded, and it does not crash.
run_options=(--memory)
same_behaviour memory "$work/unmeasured"
folded memory --metric allocations
expect "memory: no allocation of a helper" no_path memory 'helper|burn_inside|allocate_here'
finish
