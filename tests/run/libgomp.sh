#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program on GCC's libgomp, which has no OMPT: samples, one line about it, and full OpenMP context when run with
# LLVM's runtime.
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/truth_paths.sh"

simulate
CC=gcc compile truth truth.c -fopenmp
ldd "$work/truth" | grep -q libgomp || skip "gcc does not link libgomp here"
measured libgomp "$work/truth" 2 2000
expect "libgomp: ends well" ended libgomp "exit 0"
expect "libgomp: one line" test "$(heddle_lines libgomp)" = 1
expect "libgomp: the line offers the other runtime" grep -q '^heddle.*--openmp-runtime llvm' "$work/libgomp.err"
expect "libgomp: so does the report" grep -q '^note: .*--openmp-runtime llvm' \
	<(timeout "$seconds" "$heddle" report "$work/libgomp.heddle.d")
folded libgomp --metric cpu-time
truth_exact libgomp < <(truth_functions)

compile plain truth.c -fopenmp
llvm=$(ldd "$work/plain" | awk '$1 ~ /^libomp/ { print $3 }')
if [ -n "$llvm" ]; then
	mkdir "$work/disguised"
	ln -s "$llvm" "$work/disguised/libgomp.so.1"
	LD_LIBRARY_PATH=$work/disguised measured disguised "$work/truth" 2 200
	expect "LLVM's runtime under the name of GCC's: nothing to say" test "$(heddle_lines disguised)" = 0
	folded disguised
	expect "and its context is there" has_path disguised ';omp parallel @'
fi

run_options=(--openmp-runtime llvm)
measured moved "$work/truth" 2 3000
expect "on LLVM's runtime: ends well" ended moved "exit 0"
expect "on LLVM's runtime: nothing to say" test "$(heddle_lines moved)" = 0
truth_whole moved
truth_exact moved < <(truth_paths any)
finish
