# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# For scripts that try each OpenMP runtime: LLVM 14's, which is installed, and 16's and 19's, unpacked below build/deps.
#
#   for_each_runtime FUNCTION ARGUMENTS...   FUNCTION VERSION ARGUMENTS..., with that runtime on LD_LIBRARY_PATH
for_each_runtime() {
	local function=$1 version directory
	shift
	for version in 14 16 19; do
		directory=
		if [ "$version" != 14 ]; then
			directory=$(runtime_dir "$version")
			if [ -z "$directory" ]; then
				echo "LLVM $version not tried: no libomp.so.5 below build/deps/llvm-$version"
				continue
			fi
		fi
		LD_LIBRARY_PATH=$directory "$function" "$version" "$@"
	done
}

# How constructs.c is run: cancelling, reducing in a tree, waiting without a processor.
# shellcheck disable=SC2034 # used by scripts
constructs_environment=(env OMP_CANCELLATION=true KMP_FORCE_REDUCTION=tree OMP_WAIT_POLICY=passive)

# LLVM 14's __kmpc_error crashes, with a tool and without.
has_construct() { [ "$1 $2" != "14 error" ]; }
