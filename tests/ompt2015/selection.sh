#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Which events the tool registers with a runtime of the report: all, or those that a file for --events needs, and never
# an event that makes that runtime crash.
# shellcheck disable=SC2317 # functions are called by expect
. "${BASH_SOURCE%/*}/../run/lib.sh"
. "${BASH_SOURCE%/*}/lib.sh"

compile_simulated constructs2015 constructs2015.c
export SIMULATED_REGISTERED=1
# asked NAME: prints the numbers of the registered events, except 1 to 10 and 22 to 26 (threads and tasks), which are
# always registered.
asked() { sed -n 's/^registered //p' "$work/$1.err" | awk '$1 > 10 && ($1 < 22 || $1 > 26)' | paste -sd' '; }
base() { sed -n 's/^registered //p' "$work/$1.err" | awk '$1 <= 10 || ($1 >= 22 && $1 <= 26)' | wc -l; }
is_asked() { [ "$(asked "$1")" = "$2" ] || { echo "  asked for: $(asked "$1")"; false; }; }

# selected NAME EVENT...: measures with a file of these events.
selected() {
	local name=$1
	shift
	printf '%s\n' "$@" > "$work/events"
	run_options=(--events "$work/events" "${more_options[@]}")
	measured "$name" "$work/constructs2015"
	expect "$name: ends well" ended "$name" "exit 0"
	expect "$name: all names are known" test "$(heddle_lines "$name")" = 0
	expect "$name: the tasks' events" test "$(base "$name")" = 15
	folded "$name" --metric visits
	sed 's/ [0-9]*$//; s/.*;//; s/ @.*//' "$work/$name.folded" | sort -u > "$work/$name.labels"
}
labels_are() { paste -sd, "$work/$1.labels" | grep -qx "$2" || { paste -sd, "$work/$1.labels"; false; }; }

hz=0
more_options=()
SIMULATED=report
export SIMULATED
measured all "$work/constructs2015"
expect "all: every event of the host and of devices" is_asked all "$(seq -s' ' 11 21) $(seq -s' ' 27 70)"
selected none ompt_callback_parallel
expect "none: nothing more" is_asked none ''
expect "none: only events of context are registered" labels_are none 'omp parallel,omp task'
selected loop ompt_callback_work:loop
expect "loop: its events" is_asked loop '27 28'
expect "loop: what is shown" labels_are loop 'omp for,omp parallel,omp task'
selected critical ompt_callback_mutex_acquire:critical
expect "critical: events until it is entered" is_asked critical '48 54'
expect "critical: what is shown" labels_are critical 'omp critical wait,omp parallel,omp task'
selected waits ompt_callback_sync_region_wait:barrier
expect "waits: the construct's events, too" is_asked waits '11 12 39 40'
expect "waits: what is shown" labels_are waits 'omp barrier wait,omp parallel,omp task'
more_options=(--blame)
selected blame ompt_callback_mutex_acquire:lock
expect "blame: the events of locks" is_asked blame '17 18 19 20 21 45 46 51 52 53 54 55 56'
more_options=()
SIMULATED=llvm
run_options=()
measured llvm "$work/constructs2015"
expect "llvm: 69, and not 70, at which it crashes" is_asked llvm '11 12 17 18 19 20 21 27 28 31 32 33 34 37 38 39 40 41 42 45 49 50 51 52 53 55 56 57 58 59 60 69'
finish
