#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program with ThreadSanitizer ends as without Heddle, and nothing is reported. The sanitizer's runtime is a shared
# library (gcc) or part of the program (clang).
. "${BASH_SOURCE%/*}/lib.sh"

tried=0
for compiler in gcc "$HEDDLE_CLANG"; do
	echo 'int main(void) { return 0; }' > "$work/probe.c"
	if ! "$compiler" -fsanitize=thread -o "$work/probe" "$work/probe.c" 2> "$work/probe.err" || ! "$work/probe"; then
		echo "left out: $compiler -fsanitize=thread: $(head -n 1 "$work/probe.err")"
		continue
	fi
	tried=$((tried + 1))
	CC=$compiler compile "$compiler" sanitized.c -fsanitize=thread
	for options in "" "--flush-seconds 1" "--trace"; do
		read -ra run_options <<< "$options"
		name=$compiler${options//[^a-z]/_}
		same_behaviour "$name" "$work/$compiler"
		expect "$name: no report" eval '! grep ThreadSanitizer "$work/$name.err"'
		folded "$name" --metric cpu-time
		expect "$name: sampled" has_path "$name" '(^|;)work(;|$)'
	done
done
[ "$tried" -gt 0 ] || skip "no compiler here makes programs with ThreadSanitizer"
finish
