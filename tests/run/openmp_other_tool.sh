#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program that has another OpenMP tool keeps it, wherever the tool is, and Heddle says that OpenMP is not measured. If
# that tool declines, OpenMP is measured.
. "${BASH_SOURCE%/*}/lib.sh"

tool=$work/libothertool.so
compile "${tool##*/}" other_tool.c -shared -fPIC
compile plain regions.c -fopenmp
compile own regions.c "$programs/other_tool.c" -fopenmp
compile linked regions.c -fopenmp -Wl,--no-as-needed "$tool" -Wl,-rpath,"$work"
ldd "$work/plain" | grep -q 'libomp\.so' || skip "no libomp.so of LLVM"

said() { [ "$(grep -c '^heddle: OpenMP context is missing: another OpenMP tool is active' "$work/$1.err")" = "$2" ]; }
noted() { in_time "$heddle" report "$work/$1.heddle.d" | grep -q '^note: OpenMP context is missing: another'; }
measures() { [ "$(path_sum "$1" 'omp parallel @[^;]*$')" = 100 ]; }

try() { # name, whether the other tool is active, command
	local name=$1 active=$2
	shift 2
	same_behaviour "$name" "$@"
	expect "$name: the other tool was asked once" test "$(grep -c 'other tool [sd]' "$work/$name.out")" = 1
	expect "$name: one line if the other tool is active" said "$name" "$active"
	if [ "$active" = 1 ]; then
		expect "$name: a note in the report" noted "$name"
		folded "$name"
		expect "$name: no region" no_path "$name" 'omp parallel'
	else
		folded "$name" --metric visits
		expect "$name: all regions" measures "$name"
	fi
}

hz=0
try executable 1 "$work/own" 100 2
try library 1 "$work/linked" 100 2
try child 1 env OMP_TOOL_LIBRARIES="$tool" "$work/plain" 100 2
OMP_TOOL_LIBRARIES=$tool try list 1 "$work/plain" 100 2
try declining_executable 0 env DECLINE=1 "$work/own" 100 2
try declining_library 0 env DECLINE=1 "$work/linked" 100 2
OMP_TOOL_LIBRARIES=$tool try declining_list 0 env DECLINE=1 "$work/plain" 100 2
OMP_TOOL_LIBRARIES=/nowhere/libnone.so measured missing "$work/plain" 100 2
folded missing --metric visits
expect "a missing library: all regions" measures missing

# Heddle prints nothing if the user has disabled tools.
measured off env OMP_TOOL=disabled "$work/own" 100 2
expect "off: nothing to say" test "$(heddle_lines off)" = 0
finish
