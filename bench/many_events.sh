#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A hundred million OpenMP events, a million tasks, 10,000 parallel regions nested four deep, on two threads: seconds of
# each bare, with an empty OMPT tool, with Heddle's events, and with events and samples at 1,000 Hz; Heddle's memory,
# and the number of samples lost. Usage: bench/many_events.sh [EVENTS [TASKS [NESTS]]]
. "${BASH_SOURCE%/*}/lib.sh"
have "$heddle" heddle "./dev build" || exit 77
build many_events ../tests/programs/many_events.c -fopenmp
build empty_ompt_tool.so empty_ompt_tool.c -shared -fPIC
export OMP_WAIT_POLICY=passive
program=("$work/many_events" "${1:-100000000}" "${2:-1000000}" "${3:-10000}")

machine
printf '%-18s %9s %9s %9s   %s\n' 'seconds' events tasks nests "Heddle's memory and samples"
for variant in "${tool_variants[@]}"; do
	with_tool "$variant" "${program[@]}" 2> "$work/$variant.err" > /dev/null
	seconds() { awk -v name="$1" '$1 == name { print $2 }' "$work/$variant.err"; }
	printf '%-18s %9s %9s %9s' "$variant" "$(seconds events)" "$(seconds tasks)" "$(seconds nests)"
	[ ! -d "$work/out.$variant" ] || "$heddle" info "$work/out.$variant" | awk '
		/^ *samples .*taken/ { samples = $2 " samples taken, " $4 " in the file" }
		/KiB of memory/ { printf "   %s KiB, %s", $3, samples }'
	echo
done
