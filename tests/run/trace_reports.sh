#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What reports say of a real program's trace: which thread was late at which barrier, that the critical path leads
# through the holder of a lock and the thread that executes a task, and that parts of the run are its phases.
# shellcheck disable=SC2317 # functions are called by others
. "${BASH_SOURCE%/*}/lib.sh"
run_options=(--trace)
nap=$((seconds / 4)) # ms, within which the other threads have to get a processor
barriers=10
export KMP_BLOCKTIME=0
compile turns turns.c -fopenmp -I"$HEDDLE_SOURCE/include"
measured turns "$work/turns" $barriers $nap
expect "the program ends well" grep -qx 'exit 0' "$work/turns.outcome"
directory=$work/turns.heddle.d

report() { "$heddle" report "$directory" "$@" >"$work/report" 2>&1 || { cat "$work/report"; false; }; }
says() { grep -Eq "$1" "$work/report" || { cat "$work/report"; false; }; }

# Prints the milliseconds in a column of the first line that matches.
ms() { # pattern, column
	awk -v pattern="$1" -v column="$2" '
		$0 ~ pattern { unit = $(column + 1)
			print $column * (unit == "s" ? 1000 : unit == "us" ? 0.001 : unit == "ns" ? 0.000001 : 1); exit }' "$work/report"
}
at_least() { awk -v value="$1" -v least="$2" 'BEGIN { exit !(value >= least) }' || { echo "  $1 ms, not $2"; cat "$work/report"; false; }; }

line=$(grep -n 'omp barrier' "$programs/turns.c" | cut -d: -f1)
report --late
expect "the barriers are counted" says " $barriers  omp barrier @turns.c:$line"
awk -v line="@turns.c:$line" '/ omp / { found = index($0, line) } found && /   for / { print }' "$work/report" >"$work/causes"
expect "both threads are late" [ "$(wc -l <"$work/causes")" -eq 2 ]
expect "threads are late in turns" [ "$(awk '$4 == '$((barriers / 2)) "$work/causes" | wc -l)" -eq 2 ]
expect "other threads wait for each" at_least "$(awk '{ print $2 == "s" ? $1 * 1000 : $1 }' "$work/causes" | sort -n | head -1)" \
	$((barriers / 2 * nap))

# The parts of the critical path add up to the run.
report --critical --min 0
expect "the path has the run's length" says '^  100.0 .* turns$'
report --critical --phase turns
expect "the path changes threads at each barrier" at_least "$(sed -n 's/.* \([0-9,]*\) changes* of thread.*/\1/p' "$work/report" | tr -d ,)" \
	$((barriers - 1))
expect "the path is on the worker half of the time" at_least "$(ms 'openmp worker' 1)" $((barriers / 2 * nap))
expect "the path is on the creator half of the time" at_least "$(ms ' main 0' 1)" $((barriers / 2 * nap))

report --critical --phase lock
expect "the path goes through the holder of the lock" at_least "$(ms 'openmp worker' 1)" $((3 * nap))
report --critical --phase task
expect "the path goes through the task's thread" at_least "$(ms 'openmp worker' 1)" $((3 * nap))

# Parts of the run.
report --phase lock --metric visits --flat
expect "a phase has its regions" says 'omp lock wait @turns.c'
expect "a phase has no regions of others" bash -c "! grep -q 'omp barrier' '$work/report'"
report --phase turns --metric visits --flat
expect "a phase's regions have all visits" says " $((2 * barriers))  omp barrier @turns.c:$line"

report --timeline
for phase in turns lock task; do
	expect "the ruler has phase $phase" says "^phase .*\|$phase"
done
expect "threads wait at barriers" says '^[0-9]+\.[0-9]+ +main 0 .*b'
finish
