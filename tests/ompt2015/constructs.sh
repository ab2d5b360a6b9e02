#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Each construct is counted at its place, and a wait for a critical construct is measured: by its event, or by the
# thread's state if the runtime has no event.
. "${BASH_SOURCE%/*}/../run/lib.sh"
. "${BASH_SOURCE%/*}/lib.sh"

compile_simulated constructs2015 constructs2015.c
visits() { expect "$SIMULATED: $2 times $3" test "$(path_sum "$1" "omp parallel [^;]*;(.*;)?$3( @[^;]*)?\$")" = "$2"; }

run_options=(--sample-clock wall)
for SIMULATED in report llvm; do
	export SIMULATED
	hz=0 measured "$SIMULATED.events" "$work/constructs2015"
	expect "$SIMULATED: ends well" ended "$SIMULATED.events" "exit 0"
	folded "$SIMULATED.events" --metric visits
	visits "$SIMULATED.events" 6 'omp for'
	visits "$SIMULATED.events" 2 'omp single( other)?'
	visits "$SIMULATED.events" 13 'omp task'
	visits "$SIMULATED.events" 6 'omp taskwait'
	if [ "$SIMULATED" = report ]; then
		visits "$SIMULATED.events" 4 'omp sections'
		visits "$SIMULATED.events" 2 'omp workshare'
	fi
	measured "$SIMULATED" "$work/constructs2015"
	folded "$SIMULATED" --metric wall-time
	waited=$(path_sum "$SIMULATED" 'omp parallel [^;]*;(.*;)?(omp critical|\[.*lock wait)')
	# A busy machine may stop the waiting thread before it waits, or the holder before it wakes up.
	expect "$SIMULATED: 0.3 s of waiting for a critical construct" between 1e8 "$waited" 1e12
done
finish
