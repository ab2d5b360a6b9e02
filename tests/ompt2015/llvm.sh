#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How LLVM's runtimes 3.9 to 5.0 differ from the report: they jump to callbacks, report a task when its creator may have
# ended, create tasks of their own for a taskloop, let the program call an undeferred task's function, dereference a
# null pointer for event 70 if its sink is not a task, and report no locks, only a state.
. "${BASH_SOURCE%/*}/../run/lib.sh"
. "${BASH_SOURCE%/*}/lib.sh"

compile_simulated llvm2015 llvm2015.c
# all NAME FUNCTION REGEX: all of the function's time is on paths that match REGEX.
all() { expect "$1: $2 on paths like $3" test "$(path_sum "$1" "$3;burn_$2(;|\$)")" = "$(path_sum "$1" "(^|;)burn_$2(;|\$)")"; }

run_options=(--blame)
for SIMULATED in llvm llvm39 report; do
	export SIMULATED
	measured "$SIMULATED" "$work/llvm2015" 200
	expect "$SIMULATED: ends well" ended "$SIMULATED" "exit 0"
	folded "$SIMULATED" --metric cpu-time
	for function in row leaf iteration dependent undeferred holding; do
		expect "$SIMULATED: burn_$function was sampled" between 8e7 "$(path_sum "$SIMULATED" "(^|;)burn_$function(;|\$)")" 1e12
	done
	all "$SIMULATED" row '^main;omp parallel @[^;]*;omp for @[^;]*'
	all "$SIMULATED" leaf '^main;omp parallel @[^;]*;omp task @[^;]*;omp task @[^;]*'
	all "$SIMULATED" iteration '^main;omp parallel @[^;]*;omp task @[^;]*llvm2015[^;]*'
	all "$SIMULATED" undeferred '^main;omp parallel @[^;]*;omp task @[^;]*'
	all "$SIMULATED" dependent '^main;omp parallel @[^;]*;omp task @[^;]*'
	# When the runtime starts, it is not known to be one; calls into it go through stubs of the program (@plt).
	expect "$SIMULATED: no task of the runtime's own" no_path "$SIMULATED" 'taskloop_task|omp [^;]*;(.*;)?sim_[a-z0-9_]*(;|$)'
	# Waiting for the lock is charged completely, to the microsecond.
	folded "$SIMULATED" --metric waiting
	waited=$(path_sum "$SIMULATED" 'lock wait')
	expect "$SIMULATED: waiting for the lock" between 2e6 "$waited" 1e12
	folded "$SIMULATED" --metric lock-blame
	blamed=$(path_sum "$SIMULATED" .)
	expect "$SIMULATED: all waiting for the lock is charged" between "$(awk -v w="$waited" 'BEGIN { printf "%.0f", w * 0.99 }')" "$blamed" \
		"$(awk -v w="$waited" 'BEGIN { printf "%.0f", w * 1.01 }')"
	holder=burn_holding
	[ "$SIMULATED" = report ] || holder='\[no holder\]'
	# Until its first sample, the holder is not known to be in this function.
	expect "$SIMULATED: most of it is charged to $holder" between "$((waited / 2))" "$(path_sum "$SIMULATED" "$holder")" 1e12
done
[ "$failures" -eq 0 ] || cat "$work/llvm.folded"
finish
