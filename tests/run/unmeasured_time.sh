#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The end of a run reports the CPU time of processes that ran without Heddle's library, with the program and the reason
# if known; nothing is reported if all processes were measured, even if they are short, paused or many.
. "${BASH_SOURCE%/*}/lib.sh"

compile spawns spawns.c
(cd "$work" && ${CC:-$HEDDLE_CLANG} -static -O2 -D_GNU_SOURCE -o spawns-static "$programs/spawns.c" 2> /dev/null) || rm -f "$work/spawns-static"
program=$work/spawns

# says NAME PATTERN COMMAND...: one line reports more than half of the CPU time
says() {
	local name=$1 pattern=$2
	shift 2
	measured "$name" "$@"
	expect "$name: ends as the program" ended "$name" "exit 0"
	expect "$name: one line, as '$pattern'" test "$(grep -c "^heddle: not measured: .* of .* CPU time: .*$pattern.*" "$work/$name.err")" = 1
	# The clock of a process continues when it executes another program: some of the 300 ms were measured before.
	expect "$name: the CPU time reported" between 250 "$(sed -n 's/^heddle: not measured: \([0-9.]*\) ms of .*/\1/p' "$work/$name.err")" 100000
}

# silent NAME COMMAND...
silent() {
	local name=$1
	shift
	measured "$name" "$@"
	expect "$name: ends as the program" ended "$name" "exit 0"
	expect "$name: nothing is said" test "$(grep -c 'not measured' "$work/$name.err")" = 0
}

says cleared "$program was executed with an environment without Heddle's library" "$program" clear 300
says env "$program was executed with an environment without Heddle's library" env -i "$program" here 300
says shell "$program was executed with an environment" sh -c "env -i $program here 300; true"
says spawned 'processes ran without' "$program" spawn 300
expect "env: the report says so, too" grep -q "^note: not measured: $program was executed" <("$heddle" report "$work/env.heddle.d")
if [ -e "$work/spawns-static" ]; then
	says static "$work/spawns-static is statically linked" sh -c "$work/spawns-static here 300; true"
	says static-in-shells 'spawns-static is statically linked' sh -c "sh -c '$work/spawns-static here 300; true'; $program here 100"
fi

silent all sh -c "$program here 200; $program fork 100 2"
silent storm "$program" fork 0 300
silent execs sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done; exec /bin/true'
silent yielding "$program" yield 30 300
silent orphan "$program" orphan 200
silent zombies sh -c "$program here 100 & $program here 100 & exec $program here 200"
silent ignored sh -c "trap '' CHLD; $program here 100; $program fork 50 3"
run_options=(--trace)
silent traced "$program" yield 30 300
run_options=(--paused)
silent paused "$program" fork 200 2
run_options=()
hz=0
silent unsampled "$program" fork 200 2
hz=10000
silent often sh -c "$program here 300"
silent crowded sh -c "for i in 1 2 3 4 5 6 7 8; do $program here 50 & done; wait"
finish
