#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The paths are equal with other versions of LLVM's OpenMP runtime, unpacked below build/deps.
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/truth_paths.sh"

simulate
compile truth truth.c -fopenmp
export OMP_WAIT_POLICY=passive
for version in $(other_runtimes); do
	directory=$(runtime_dir "$version")
	name=llvm$version
	LD_LIBRARY_PATH=$directory measured "$name" "$work/truth" 4 3000
	expect "$name: ends well" ended "$name" "exit 0"
	truth_whole "$name"
	truth_exact "$name" < <(truth_paths exact)
done
[ "$checks" -gt 0 ] || skip "no other runtime there"
finish
