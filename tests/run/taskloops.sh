#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Nested taskloops: each has the line of its construct, and each of their tasks is counted, with samples and without.
# LLVM's runtimes report them from within the runtime.
. "${BASH_SOURCE%/*}/lib.sh"
run_options=(--openmp-runtime llvm)

# judge NAME PROGRAM: checks lines and counts; GCC gives calls another line than their construct's.
judge() {
	local name=$1
	measured "$name" "$work/$2"
	expect "$name: ends well" ended "$name" "exit 0"
	folded "$name" --metric visits
	expect "$name: tasks counted" test "$(path_sum "$name" '(^|;)omp task( @[^;]*)?$')" = 40
	expect "$name: taskloops counted" test "$(path_sum "$name" '(^|;)omp taskloop( @[^;]*)?$')" = 11
	[ "$2" = gcc ] && return
	for loop in outer inner; do
		line=$(line_of taskloops.c $loop)
		expect "$name: line of the $loop loop" \
			has_path "$name" "omp taskgroup @taskloops.c:$line;omp taskloop @taskloops.c:$line$"
	done
}

for compiler in "$HEDDLE_CLANG" gcc; do
	CC=$compiler compile "$compiler" taskloops.c -fopenmp
	for hz in 1000 0; do
		judge "$compiler.$hz" "$compiler"
	done
done
for version in $(other_runtimes); do
	directory=$(runtime_dir "$version")
	for hz in 1000 0; do
		LD_LIBRARY_PATH=$directory judge "llvm$version.$hz" "$HEDDLE_CLANG"
	done
done
finish
