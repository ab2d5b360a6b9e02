#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tasks whose frames LLVM's runtimes report wrongly: the code of a task is below the task, and is not runtime code.
. "${BASH_SOURCE%/*}/lib.sh"
simulate
export OMP_WAIT_POLICY=passive

run_options=(--openmp-runtime llvm)
group='(omp taskgroup @[^;]*;)?'
single='omp parallel @[^;]*;omp single @[^;]*'
task='omp task @[^;]*'

task_paths() {
	cat <<-EOT
		burn_alone ^main;alone;omp parallel @[^;]*;${task};burn_alone(;|$)
		burn_depend ^main;deferred;omp parallel @[^;]*;${group}create;${task};parent;burn_depend(;|$)
		burn_child ^main;deferred;omp parallel @[^;]*;${group}create;${task};parent;${task};burn_child(;|$)
		burn_far ^main;deferred;omp parallel @[^;]*;${group}create_far;${task};far_parent;burn_far(;|$)
		burn_grandchild ^main;deferred;omp parallel @[^;]*;${group}create_far;${task};far_parent;${task};burn_grandchild(;|$)
		burn_leaf ^main;undeferred;${single};split;${task};split;${task};split;${task};split;burn_leaf(;|$)
		burn_inner ^main;undeferred;${single};outer;${task};${task};burn_inner(;|$)
		burn_resumed ^main;undeferred;${single};outer;${task};burn_resumed(;|$)
		burn_region ^main;undeferred;${single};outer;${task};region;omp parallel @[^;]*;burn_region(;|$)
		burn_final ^main;undeferred;${single};final;${task};burn_final(;|$)
		burn_included ^main;undeferred;${single};final;${task};${task};burn_included(;|$)
	EOT
}

# judge NAME COMMAND...
judge() {
	local name=$1
	shift
	measured "$name" "$@"
	expect "$name: ends well" ended "$name" "exit 0"
	folded "$name" --metric cpu-time
	expect "$name: no foreign frame in a path" no_path "$name" "$foreign_frames"
	expect "$name: no compiler-made name in a path" no_path "$name" "$compiler_names"
	truth_exact "$name" < <(task_paths)
}

for compiler in "$HEDDLE_CLANG" gcc; do
	CC=$compiler compile "tasks_$compiler" tasks.c -fopenmp
	judge "tasks_$compiler" "$work/tasks_$compiler" 1500
done
for version in $(other_runtimes); do
	directory=$(runtime_dir "$version")
	LD_LIBRARY_PATH=$directory judge "llvm$version" "$work/tasks_$HEDDLE_CLANG" 1500
done
finish
