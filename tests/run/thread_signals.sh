#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Signals whose handler calls instrumented functions while threads begin and end: each thread has one context, whatever
# its first event is, and every call is counted, including the last ones.
. "${BASH_SOURCE%/*}/lib.sh"

# counts_right NAME KIND
counts_right() {
	local name=$1 calls threads counted
	measured "$name" "$work/${name%%.*}" "$2"
	expect "$name: it ended" ended "$name" "exit 0"
	read -r calls threads < "$work/$name.out"
	folded "$name" --metric visits
	counted=$(path_sum "$name" '(^|;)counted$')
	expect "$name: $counted of $calls calls" test "$counted" = "$calls"
	expect "$name: $threads threads" grep -q "· $threads threads ·" <("$heddle" report --threads "$work/$name.heddle.d")
}

for compiler in "$HEDDLE_CLANG" gcc; do
	command -v "$compiler" > /dev/null || continue
	CC=$compiler compile "$compiler" thread_signals.c -finstrument-functions -fno-omit-frame-pointer -fopenmp
	for hz in 0 1000; do
		for kind in pthreads c11 openmp clone last; do
			counts_right "$compiler.$kind.$hz" "$kind"
		done
	done
done
run_options=(--trace --blame)
for kind in pthreads openmp clone last; do
	counts_right "$HEDDLE_CLANG.$kind.traced" "$kind"
	timeout "$seconds" "$heddle" info --check-trace "$work/$HEDDLE_CLANG.$kind.traced.heddle.d" > "$work/check" 2>&1
	expect "$kind: $(tail -n 1 "$work/check")" grep -q '^the trace and the profile agree: ' "$work/check"
done
finish
