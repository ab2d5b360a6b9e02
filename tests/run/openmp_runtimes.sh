# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Helpers for scripts that try each version of LLVM's OpenMP runtime: the installed one, and those below build/deps.
#
#   for_each_runtime FUNCTION ARGUMENTS...   calls FUNCTION VERSION ARGUMENTS... with that runtime on LD_LIBRARY_PATH
# shellcheck disable=SC2154 # installed_runtime is defined in lib.sh
for_each_runtime() {
	local function=$1 version directory
	shift
	for version in "$installed_runtime" $(other_runtimes); do
		directory=
		[ "$version" = "$installed_runtime" ] || directory=$(runtime_dir "$version")
		LD_LIBRARY_PATH=$directory "$function" "$version" "$@"
	done
}

# The environment of constructs.c: cancellation is on, reductions use the tree method, waiting threads sleep.
# shellcheck disable=SC2034 # used by scripts
constructs_environment=(env OMP_CANCELLATION=true KMP_FORCE_REDUCTION=tree OMP_WAIT_POLICY=passive)

# LLVM 14's __kmpc_error crashes, with and without a tool.
has_construct() { [ "$1 $2" != "14 error" ]; }

# measure_constructs CHECK SAMPLED: measures each construct of constructs.c on each runtime, by events; on the runtime
# SAMPLED, with samples, too. Calls CHECK VERSION CONSTRUCT NAME HZ, which examines $work/NAME.heddle.d.
# shellcheck disable=SC2154 # work is of lib.sh
measure_constructs() {
	compile constructs constructs.c -fopenmp
	for_each_runtime measure_constructs_of "$@"
}

# shellcheck disable=SC2154
measure_constructs_of() {
	local version=$1 check=$2 sampled=$3 construct
	for construct in $("$work/constructs"); do
		measure_construct "$version" "$construct" 0 "$check"
		[ "$version" != "$sampled" ] || measure_construct "$version" "$construct" 1000 "$check"
	done
}

measure_construct() {
	local version=$1 construct=$2 hz=$3 check=$4 name=$2-$1-$3
	has_construct "$version" "$construct" || return 0
	measured "$name" "${constructs_environment[@]}" "$work/constructs" "$construct"
	expect "$name: ends well" ended "$name" "exit 0"
	"$check" "$version" "$construct" "$name" "$hz"
	rm -rf "$work/$name.heddle.d"
}
