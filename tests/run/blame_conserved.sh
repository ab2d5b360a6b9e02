#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Blame given is waiting measured, kind by kind, for each construct on each runtime, by events alone and with samples.
# shellcheck disable=SC2317 # functions are called by others
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"
numbers=$HEDDLE_BUILD/tests/numbers
run_options=(--blame)

number() { awk -v key="$2" '$1 == key { print $2 }' "$work/$1.numbers"; }

# NAME STATE METRIC: equal, but for ticks that became nanoseconds path by path, for holders whose clock was read after
# the next one's, and for workers that the runtime ends while the profile is written.
conserved() {
	local waited given
	waited=$(number "$1" "in_$2") given=$(number "$1" "$3")
	awk -v a="$waited" -v b="$given" 'BEGIN { d = a > b ? a - b : b - a; exit !(d <= 100000 + a / 2000) }' ||
		{ echo "  waited $waited, given $given"; false; }
}

kinds=('LOCK_WAIT lock-blame' 'BARRIER_WAIT barrier-blame' 'TASK_WAIT task-blame' 'IDLE idle-blame')

# shellcheck disable=SC2086 # two words each
all_conserved() {
	local kind
	for kind in "${kinds[@]}"; do
		conserved "$1" $kind || return
	done
}

# Where a worker runs a task while its region ends, it may be idle for longer in one sum than in the other, now and then:
# then the construct is measured once more.
# shellcheck disable=SC2086
check_sums() {
	local construct=$2 name=$3 try kind
	"$numbers" "$work/$name.heddle.d" > "$work/$name.numbers"
	for try in 1 2; do
		all_conserved "$name" && break
		echo "  $name: try $try"
		measured "$name" "${constructs_environment[@]}" "$work/constructs" "$construct"
		"$numbers" "$work/$name.heddle.d" > "$work/$name.numbers"
	done
	for kind in "${kinds[@]}"; do
		expect "$name: blame is waiting: $kind" conserved "$name" $kind
	done
}

measure_constructs check_sums 19
finish
