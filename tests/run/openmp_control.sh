#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# omp_control_tool starts, pauses, flushes and ends, with the return codes of OpenMP 5.2 section 18.14, on each runtime.
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"

with_tool='start 0 flush 0 pause 0 pause 0 flush 0 start 0 start 0 unknown 1 unknown 1 unknown 1 end 0 start 1 pause 0 flush 0 end 0 '
codes() { grep -E '^[a-z]+ -?[0-9]+$' "$work/$1.out" | tr '\n' ' '; }

try_runtime() {
	local name=llvm$1-$hz
	measured "$name" "$work/openmp_control" "set -- '$work/$name.heddle.d'/*.heddle; echo files \$# \$*"
	expect "$name: ends well" ended "$name" "exit 0"
	expect "$name: return codes: $(codes "$name")" test "$(codes "$name")" = "$with_tool"
	expect "$name: the flush wrote a file" grep -q '^files 1 .*openmp_control' "$work/$name.out"
	expect "$name: info names omp_control_tool as the end" grep -q omp_control_tool <(timeout "$seconds" "$heddle" info "$work/$name.heddle.d")
	folded "$name" --metric visits
	local counted
	counted=$(awk '/omp barrier @[^;]* [0-9]+$/ { print $NF }' "$work/$name.folded" | sort -n | tr '\n' ' ')
	expect "$name: barriers at first and when started again: $counted" test "$counted" = "6 14 "
}

compile openmp_control openmp_control.c -fopenmp
hz=0
for_each_runtime try_runtime
hz=1000
try_runtime 14

run_options=(--models c)
measured silent "$work/openmp_control"
expect "no tool: return codes: $(codes silent)" test "$(codes silent | tr -d 'a-z \n')" = -2-2-2-2-2-2-2-2-2-2-2-2-2-2-2
finish
