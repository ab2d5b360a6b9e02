#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Children started in every way: same output, a profile file for each process, nothing counted twice.
. "${BASH_SOURCE%/*}/lib.sh"

compile children children.c

simulate
burned_100_ms() { is_sum "$1" "(^|;)$2(;|$)" 100000000; }

# check WAY FILES FUNCTION...: FILES profile files, or more with a plus sign (a shell in between is measured, too)
check() {
	local way=$1 files=$2 function
	shift 2
	same_behaviour "$way" "$work/children" "$way"
	if [ "${files%+}" = "$files" ]; then
		expect "$way: $files profile files, not $(profile_files "$way")" test "$(profile_files "$way")" = "$files"
	else
		expect "$way: $files profile files, not $(profile_files "$way")" test "$(profile_files "$way")" -ge "${files%+}"
	fi
	folded "$way" --metric cpu-time
	for function in "$@"; do
		expect "$way: $function burned 100 ms" burned_100_ms "$way" "$function"
	done
}

check fork 2 burn_before burn_child burn_after
# Between fork and exec, the child counts as a process image of its own.
check fork_exec 2+ burn_before burn_child burn_after
check vfork 2 burn_before burn_child burn_after
check vfork_failing 1 burn_before burn_after
check posix_spawn 2 burn_before burn_child burn_after
check system 2+ burn_before burn_child burn_after
check popen 2+ burn_before burn_child burn_after
for way in clone clone_quick_exit clone_raise clone_shared clone_shared_raise bare_fork; do
	check "$way" 1 burn_before burn_after
done
check grandchild 3 burn_before burn_child burn_after
hz=10000
check threaded_fork 21 burn_before burn_after
finish
