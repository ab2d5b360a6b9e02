#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# An --events file selects OpenMP events by the name of the kind or the callback; regions and tasks stay selected.
. "${BASH_SOURCE%/*}/lib.sh"

# selected CONSTRUCT NAME...: the labels in "$work/CONSTRUCT.labels".
selected() {
	local construct=$1
	shift
	printf '%s\n' "$@" > "$work/events"
	measured "$construct" "$work/constructs" "$construct"
	expect "$construct: all names are known" test "$(heddle_lines "$construct")" = 0
	folded "$construct" --metric visits
	sed 's/ [0-9]*$//; s/.*;//; s/ @.*//' "$work/$construct.folded" | sort -u > "$work/$construct.labels"
}
labels_are() { paste -sd, "$work/$1.labels" | grep -qx "$2" || { paste -sd, "$work/$1.labels"; false; }; }

compile constructs constructs.c -fopenmp
hz=0
run_options=(--events "$work/events")
selected critical ompt_callback_mutex_acquire:critical
expect "one kind" labels_are critical 'omp critical wait,omp parallel'
selected ordered ompt_callback_work ompt_callback_mutex_acquired
expect "all kinds of two callbacks" labels_are ordered 'omp for,omp ordered,omp parallel'
selected lock ompt_callback_lock_init ompt_callback_mutex_released:lock
expect "other callbacks" labels_are lock 'omp lock init,omp unlock'
selected task ompt_callback_parallel_begin
expect "only regions and tasks" labels_are task 'omp parallel,omp task'
selected barrier ompt_callback_sync_region_wait
expect "an event that is measured only if named" labels_are barrier 'omp barrier wait,omp implicit barrier wait,omp parallel'

has_label() { grep -qx "$2" "$work/$1.labels"; }
selected critical '!ompt_callback_mutex_acquire:critical' '!ompt_callback_sync_region'
expect "an excluded kind" eval '! has_label critical "omp critical wait"'
expect "all kinds of an excluded callback" eval '! grep barrier "$work/critical.labels"'
expect "all other events" has_label critical 'omp critical'
selected barrier '!ompt_callback_sync_region' ompt_callback_sync_region:barrier
expect "a kind of an excluded callback" labels_are barrier 'omp barrier,omp parallel'

# Samples still show waits, by the runtime's state. They are taken by elapsed time, as a waiting thread uses little CPU
# time on a busy machine.
hz=1000
run_options+=(--sample-clock wall)
printf '%s\n' ompt_callback_parallel > "$work/events"
compile blocks blocks.c -fopenmp
measured unasked "$work/blocks" 1000
folded unasked --metric samples
expect "a barrier without events is sampled as a barrier" has_path unasked ';\[barrier wait\]$'
expect "a lock without events is sampled as a lock" has_path unasked ';\[lock wait\]$'
finish
