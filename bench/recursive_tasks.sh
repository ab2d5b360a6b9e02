#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Nanoseconds of CPU time for each of 390,000 recursive tasks on two threads, deferred and (by an if clause) undeferred:
# bare, with an empty OMPT tool, with Heddle's events, and with events and samples at 1,000 Hz; and the number of
# Heddle's call paths. Usage: bench/recursive_tasks.sh [NUMBER]
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-5}
have "$heddle" heddle "./dev build" || exit 77
build recursive_tasks recursive_tasks.c -fopenmp
build empty_ompt_tool.so empty_ompt_tool.c -shared -fPIC
export OMP_WAIT_POLICY=passive
program=("$work/recursive_tasks" "${1:-26}")

machine
: > "$work/results"
for ((repeat = 0; repeat < repeats; repeat++)); do
	for variant in "${tool_variants[@]}"; do
		with_tool "$variant" "${program[@]}" 2> "$work/said" | record "$variant"
	done
done
printf '%s tasks each\n' "$(median bare/tasks)"
for kind in deferred undeferred; do
	table "$kind" "ns a task" "${tool_variants[@]}"
done
for variant in events events_and_samples; do
	"$heddle" info "$work/out.$variant" | awk -v name="$variant" '/tree nodes/ { print name ": " $3 " nodes of the call-path tree" }'
done
