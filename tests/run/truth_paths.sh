# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# The user-level paths that tests/programs/truth.c must have, for truth_exact and whole_paths of lib.sh.
#   truth_paths exact    with the lines of directives in the source
#   truth_paths any      with any line of the source (compilers differ in the line of a directive's call)
truth_paths() {
	local precision=$1
	at() {
		if [ "$precision" = exact ]; then
			printf '@([^;]*/)?truth\\.c:%s' "$(line_of truth.c "$1")"
		else
			printf '@([^;]*/)?truth\\.c:[0-9]+'
		fi
	}
	local share='(omp (single|master|masked|taskgroup)[^;]*;)*' # these may be on the path
	cat <<-EOT
		burn_serial ^main;serial_part;burn_serial(;|$)
		burn_first ^main;flat;omp parallel $(at first);burn_first(;|$)
		burn_second ^main;flat;omp parallel $(at second);burn_second(;|$)
		burn_outer ^main;outer;omp parallel $(at outer);burn_outer(;|$)
		burn_nested ^main;outer;omp parallel $(at outer);inner;omp parallel $(at inner);burn_nested(;|$)
		burn_task ^main;tasking;omp parallel $(at tasking);${share}omp task $(at task);burn_task(;|$)
		burn_stolen ^main;producer;omp parallel $(at producer);${share}make_tasks;omp task $(at stolen);burn_stolen(;|$)
		burn_child ^main;family;omp parallel $(at family);${share}omp task $(at parent);parent_task;omp task $(at child);burn_child(;|$)
		burn_taskloop ^main;loops;omp parallel $(at loops);${share}(omp task(loop)?( @[^;]*)?;)+burn_taskloop(;|$)
		burn_untied ^main;wanderer;omp parallel $(at wanderer);${share}omp task $(at untied);burn_untied(;|$)
		burn_serialized ^main;alone;omp parallel $(at alone);burn_serialized(;|$)
	EOT
}

# Prints the same functions on any path, for programs whose OpenMP context is not known.
truth_functions() { truth_paths any | sed 's/^\([^ ]*\) .*/\1 (^|;)\1(;|$)/'; }
