#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Phases that begin or end inside OpenMP's regions: each phase and each region has the time until its own end.
# shellcheck disable=SC2317 # functions are called by others
. "${BASH_SOURCE%/*}/lib.sh"
simulate
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"
ms=60 # as in phases.c
run_options=(--trace)
parallel='omp parallel @phases.c:[0-9]+'

# below NAME MESSAGE REGEX: the path, with all paths below it, has at least the ms that one function burns
below() { expect "$1: $2" between "$((ms * 8 / 10))" "$(($(path_sum "$1" "$3(;|$)") / 1000000))" 1e9; }
nothing_below() { expect "$1: $2" between 0 "$(($(path_sum "$1" "$3(;|$)") / 1000000))" "$((ms / 2))"; }

# check_regions NAME SAMPLED: events alone do not show functions
check_regions() {
	local name=$1 in=() done=()
	[ -z "$2" ] || in=('main;end_in_critical;' 'main;end_with_lock;' 'main;begin_in_master;' 'main;begin_in_loop;'
		'main;leave_open_in_task;' 'main;leave_open_in_region;')
	[ -z "$2" ] || done=(';burn_critical' ';burn_locked' ';burn_solve' ';burn_iterations' ';burn_in_task' ';burn_nested')
	below "$name" "critical goes on after the phase" "^${in[0]-}$parallel;omp critical @[^;]*${done[0]-}"
	nothing_below "$name" "the critical region's code is not in the phase" "phase enter;omp critical @[^;]*"
	below "$name" "a lock is held after the phase" "^${in[1]-}omp lock @[^;]*${done[1]-}"
	below "$name" "a phase goes on after its master construct" "^${in[2]-}$parallel;phase solve${done[2]-}"
	nothing_below "$name" "the master construct has ended" "omp masked @[^;]*"
	below "$name" "a phase goes on after its loop" "^${in[3]-}$parallel;phase iterations${done[3]-}"
	nothing_below "$name" "the loop has ended" "omp for @[^;]*"
	below "$name" "a task has its phase" "^${in[4]-}$parallel;omp single @[^;]*;omp task @[^;]*;phase task${done[4]-}"
	below "$name" "a region has its phase" "^${in[5]-}$parallel;$parallel;phase nested${done[5]-}"
	[ -z "$2" ] || expect "$name: what follows is not in a phase" no_path "$name" 'phase (task|nested);.*burn_after'
	[ -n "$2" ] || expect "$name: phases end with their task" between "$((ms * 16 / 10))" \
		"$(($(path_sum "$name" "^$parallel$") / 1000000))" 1e9
}

check_run() {
	expect "$1: ends well" ended "$1" "exit 0"
	expect "$1: the trace agrees" "$heddle" info --check-trace "$work/$1.heddle.d"
	folded "$1" --metric "$2"
	check_regions "$1" "$3"
}

check_runtime() {
	hz=0 measured "events-$1" "$work/phases"
	check_run "events-$1" wall-time ''
	measured "sampled-$1" "$work/phases"
	check_run "sampled-$1" cpu-time yes
}

compile phases phases.c -fopenmp -I"$HEDDLE_SOURCE/include"
for_each_runtime check_runtime
finish
