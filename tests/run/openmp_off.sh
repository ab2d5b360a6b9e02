#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Constructs that a thread creates while it is switched off (docs/control.md) are not counted, with any runtime, with
# samples or without; the profile and the trace agree.
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"

try_runtime() {
	local name
	for hz in 0 1000; do
		name=llvm$1-$hz
		measured "$name" "$work/openmp_off"
		expect "$name: ends well" ended "$name" "exit 0"
		expect "$name: all tasks ran" grep -qx '60 tasks' "$work/$name.out"
		folded "$name" --metric visits
		expect "$name: parallel regions" test "$(path_sum "$name" 'omp parallel @[^;]*$')" = 5
		expect "$name: tasks" test "$(path_sum "$name" 'omp task @[^;]*$')" = 25
		expect "$name: the trace agrees" in_time "$heddle" info --check-trace "$work/$name.heddle.d"
	done
}

compile openmp_off openmp_off.c -fopenmp -fopenmp-version=51 -I"$HEDDLE_SOURCE/include" -ldl
run_options=(--trace)
for_each_runtime try_runtime
finish
