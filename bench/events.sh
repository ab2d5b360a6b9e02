#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Nanoseconds of an empty parallel region, barrier, loop, critical section, lock, flush, chunk of a loop and task: without a
# tool, with an empty OMPT tool, with a minimal tool that measures time, with Heddle loaded but paused, with events
# alone, and with events and samples at 1,000 Hz.
# Usage: bench/events.sh [THREADS...]   (default: 1 2)
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-7}
[ $# -gt 0 ] || set -- 1 2
build constructs constructs.c -fopenmp
build empty_ompt_tool.so empty_ompt_tool.c -shared -fPIC
build least_ompt_tool.so least_ompt_tool.c -shared -fPIC -Wall -Wextra -Werror

variants=(bare empty_tool least_tool)
have "$heddle" heddle "./dev build" && variants+=(heddle_idle heddle_events heddle_both)

run() {
	case $1 in
	bare) OMP_TOOL=disabled "$work/constructs" "$2" ;;
	empty_tool) OMP_TOOL_LIBRARIES=$work/empty_ompt_tool.so "$work/constructs" "$2" ;;
	least_tool) OMP_TOOL_LIBRARIES=$work/least_ompt_tool.so "$work/constructs" "$2" ;;
	heddle_idle) measure --sample-hz 0 --paused -- "$work/constructs" "$2" ;;
	heddle_events) measure --sample-hz 0 -- "$work/constructs" "$2" ;;
	heddle_both) measure --sample-hz 1000 -- "$work/constructs" "$2" ;;
	esac
}

machine
for threads in "$@"; do
	: > "$work/results"
	for _ in $(seq "$repeats"); do
		for variant in "${variants[@]}"; do
			run "$variant" "$threads" | record "$variant"
		done
	done
	echo "$threads threads, $repeats repeats each"
	for construct in parallel barrier for critical lock flush chunk task; do
		table "$construct" ns "${variants[@]}"
	done
done
