#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Nanoseconds of a phase's begin or end, without counters and with counters of getrusage, the CPU clock and perf.
# Usage: bench/counters.sh
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-7}
build counters counters.c -I"$here/../include" -ldl
variants=(none page-faults task-clock "page-faults,context-switches" cpu-migrations)

machine
echo "$repeats repeats each"
: > "$work/results"
for _ in $(seq "$repeats"); do
	measure --sample-hz 0 -- "$work/counters" | record none
	for names in "${variants[@]:1}"; do
		measure --sample-hz 0 --metric "$names" -- "$work/counters" | record "$names"
	done
done
table border ns "${variants[@]}"
