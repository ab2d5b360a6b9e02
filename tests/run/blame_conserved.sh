#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Total blame equals measured waiting time of each kind, for each construct on each runtime, with events alone and with
# samples.
# shellcheck disable=SC2317 # functions are called by others
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"
numbers=$HEDDLE_BUILD/tests/numbers
run_options=(--blame)

declare -A number # of the current measurement, by their names

# conserved STATE METRIC: both are equal, except for the rounding of ticks to nanoseconds on each path.
conserved() {
	local waited=${number[in_$1]} given=${number[$2]}
	[ $((waited > given ? waited - given : given - waited)) -le 1000 ] || { echo "  waited $waited, given $given"; false; }
}

kinds=('LOCK_WAIT lock-blame' 'BARRIER_WAIT barrier-blame' 'TASK_WAIT task-blame' 'IDLE idle-blame')

# shellcheck disable=SC2086 # two words each
check_sums() {
	local name=$3 kind key value
	"$numbers" "$work/$name.heddle.d" > "$work/$name.numbers"
	number=()
	while read -r key value; do
		number[$key]=$value
	done < "$work/$name.numbers"
	for kind in "${kinds[@]}"; do
		expect "$name: blame equals waiting: $kind" conserved $kind
	done
}

measure_constructs check_sums 19
finish
