#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program calls a shared runtime through stubs in the program (the procedure linkage table). A sample in such a stub
# belongs to the caller; the stub is not shown as a function of the user.
. "${BASH_SOURCE%/*}/lib.sh"
export HEDDLE_SAMPLE_SOURCE=posix # its signal, if sent during a page fault, arrives at the faulting instruction
run_options=(--openmp-runtime llvm)

for compiler in gcc "$HEDDLE_CLANG"; do
	CC=$compiler compile "$compiler" runtime_calls.c -fopenmp -fno-pie -no-pie -fplt
	expect "$compiler: calls through a stub" grep -q 'omp_in_parallel@plt' <(objdump -d "$work/$compiler")
	measured "$compiler" "$work/$compiler" 300000
	expect "$compiler: ends well" ended "$compiler" "exit 0"
	expect "$compiler: output" grep -qx 0 "$work/$compiler.out"
	folded "$compiler" --metric cpu-time
	expect "$compiler: the calls were sampled" between 1e8 "$(path_sum "$compiler" '^main;ask')" 1e11
	expect "$compiler: no stub in a path" no_path "$compiler" 'omp_[a-z_]*@plt'
done
finish
