#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# With two OpenMP runtimes in one process (an application's and a library's), the first one is measured as if it were
# alone, and one line says that the second one is not measured.
. "${BASH_SOURCE%/*}/lib.sh"
need python3

export OMP_WAIT_POLICY=passive KMP_DUPLICATE_LIB_OK=TRUE

compile two_runtimes two_runtimes.c -fopenmp -ldl
first=$(ldd "$work/two_runtimes" | awk '$1 ~ /^libomp\.so/ { print $3 }')
[ -n "$first" ] || skip "no libomp.so of LLVM"
python3 - "$first" "$work/libomq.so.5" <<- 'END' || fail "no copy of the runtime"
	import sys
	code = open(sys.argv[1], "rb").read()
	open(sys.argv[2], "wb").write(code.replace(b"\0libomp.so", b"\0libomq.so"))
END

# The copy finds its own symbols first, so it finds the tool by the variable, not by the preloaded library.
bare bare "$work/two_runtimes" "$work/libomq.so.5"
[ "$(outcome bare)" = "exit 0" ] || skip "the program does not run with two runtimes here: $(outcome bare)"
measured two env OMP_TOOL_LIBRARIES="$library" "$work/two_runtimes" "$work/libomq.so.5"
expect "the program runs with two runtimes" ended two "exit 0"
expect "one line" test "$(heddle_lines two)" = 1
expect "the line names the second runtime and what to do" grep -q 'second OpenMP runtime.*libomq\.so.*link ' "$work/two.err"
expect "heddle info says it" grep -q 'second OpenMP runtime' <(in_time "$heddle" info "$work/two.heddle.d")
expect "heddle info names one" test "$(in_time "$heddle" info "$work/two.heddle.d" | grep -c 'OpenMP [0-9]')" = 1
folded two --metric cpu-time
all=$(path_sum two .)
for burn in first again; do
	expect "burn_$burn below its region" has_path two "omp parallel @[^;]*;(main;)?burn_$burn"
	expect "burn_$burn nowhere else" no_path two "^(.*;)?burn_$burn.*omp|^burn_$burn"
done
expect "the second's region" has_path two 'burn_second'
expect "user code is no overhead" between 0 "$(path_sum two 'omp overhead')" $((all / 10))

# The variable may name another copy of the library than the preloaded one: that copy does not measure.
mkdir "$work/copy"
cp "$library" "$work/copy/libheddle.so"
measured copies env OMP_TOOL_LIBRARIES="$work/copy/libheddle.so" "$work/two_runtimes" "$work/libomq.so.5"
expect "two copies: it runs" ended copies "exit 0"
expect "two copies: the same line" grep -q 'second OpenMP runtime.*libomq\.so.*link ' "$work/copies.err"
expect "two copies: one measures" test "$(find "$work/copies.heddle.d" -name 'two_runtimes*.heddle' | wc -l)" = 1
paths two | grep -E 'burn_|overhead' | head -n 12
finish
