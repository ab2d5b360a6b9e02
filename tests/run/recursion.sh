#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Recursive tasks and regions: the outer levels have separate paths, the number of paths does not grow with the number
# of constructs, and each construct is counted.
. "${BASH_SOURCE%/*}/lib.sh"
run_options=(--openmp-runtime llvm)
depth=14

# counted NAME EVENT: the construct has as many visits as the program printed
counted() {
	folded "$1" --metric visits
	expect "$1: each construct is counted" test "$(path_sum "$1" "(^|;)$2 @[^;]*\$")" = \
		"$(awk '$1 == "constructs" { print $2 }' "$work/$1.out")"
}

for compiler in "$HEDDLE_CLANG" gcc; do
	CC=$compiler compile "$compiler" recursion.c -fopenmp
	for kind in tasks undeferred regions; do
		event='omp task'
		[ $kind = regions ] && event='omp parallel'
		for hz in 1000 0; do
			name=$compiler.$kind.$hz
			same_behaviour "$name" "$work/$compiler" $kind $depth
			expect "$name: few paths" between 1 "$(info_number "$name" 'tree nodes')" 4000
			counted "$name" "$event"
		done
		hz=1000
		measured "$compiler.$kind.shallow" "$work/$compiler" $kind 4
		counted "$compiler.$kind.shallow" "$event"
	done
	level='omp task @[^;]*;([^;@]*;)*'
	for kind in tasks undeferred; do
		expect "$compiler: four levels of $kind" has_path "$compiler.$kind.shallow" "by_tasks;($level){3}omp task @"
	done
	hz=1000
	run_options+=(--trace)
	measured "$compiler.trace" "$work/$compiler" tasks 10
	run_options=(--openmp-runtime llvm)
	expect "$compiler: the trace agrees with the profile" \
		in_time "$heddle" info --check-trace "$work/$compiler.trace.heddle.d" > "$work/checked"
done
finish
