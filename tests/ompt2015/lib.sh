# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# What the scripts of this folder share, after ../run/lib.sh.
#   compile_simulated NAME SOURCE [FLAGS...]   compile, with the simulated runtime
#   simulated_paths KIND                       the paths that truth2015.c must have, for truth_shares
# The runtime starts before it is known to be one.
foreign_frames="$foreign_frames|omp parallel.*;sim_"
runtime=$HEDDLE_BUILD/tests/libsimulated2015.so

compile_simulated() {
	local name=$1 source=$2
	shift 2
	compile "$name" "$source" -I"$HEDDLE_SOURCE/tests/ompt2015" "$runtime" -Wl,-rpath,"${runtime%/*}" "$@"
}

# LLVM's runtime reports a task when it starts: the path between its region and its construct is unknown.
simulated_paths() {
	at() { printf '@([^;]*/)?truth2015\\.c:%s' "$(line_of truth2015.c "$1")"; }
	local single='(omp single[^;]*;)*' task stolen
	task="${single}omp task $(at task)" stolen="${single}make_tasks;omp task $(at stolen)"
	if [ "$1" = llvm ]; then
		task='omp task @([^;]*/)?truth2015\.c:[0-9]+' stolen=$task
	fi
	cat <<-EOT
		burn_serial ^main;serial_part;burn_serial(;|$)
		burn_first ^main;flat;omp parallel $(at first);burn_first(;|$)
		burn_second ^main;flat;omp parallel $(at second);burn_second(;|$)
		burn_nested ^main;outer;omp parallel $(at outer);inner;omp parallel $(at inner);burn_nested(;|$)
		burn_task ^main;tasking;omp parallel $(at tasking);${task};burn_task(;|$)
		burn_stolen ^main;tasking;omp parallel $(at tasking);${stolen};burn_stolen(;|$)
		burn_locked ^main;locking;omp parallel $(at locking);(omp critical [^;]*;)?burn_locked(;|$)
	EOT
}
