#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Functions of the program that an OpenMP runtime calls (assignments of copyprivate, destructors of a task's copies, a
# reduction's combiner) are shown where the runtime calls them: below the region, the task, the barrier.
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"

simulate
compile called_back called_back.cpp -fopenmp
at() { echo "@called_back.cpp:$(line_of called_back.cpp "$1")"; }
export OMP_WAIT_POLICY=passive KMP_FORCE_REDUCTION=tree
try_runtime() {
	local name=$1
	measured "$name" "$work/called_back" 2 3000
	expect "$name: ends well" ended "$name" "exit 0"
	truth_whole "$name"
	truth_exact "$name" < <(cat <<-END
		burn_body burn_body;
		burn_copied ^main;\(anonymous namespace\)::tell;omp parallel $(at tell);.*burn_copied
		burn_destroyed omp parallel $(at hold);omp single @[^;]*;omp task $(at task);.*~Held;.*burn_destroyed
		burn_combined add;omp parallel $(at add);(omp implicit barrier @[^;]*;)?.*burn_combined
		burn_initialized add;omp parallel $(at add);.*burn_initialized
	END
	)
	expect "$name: a combiner is below the barrier that calls it" \
		has_path "$name" "omp parallel $(at add);omp implicit barrier @[^;]*;([^;]*;)?[^;]*burn_combined"
	expect "$name: no wait is below it" no_path "$name" 'burn_combined;(.*;)?omp '
}
for_each_runtime try_runtime
finish
