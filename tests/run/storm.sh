#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Four threads load and unload libraries as fast as they can at 10 kHz: no hang, and every unwound stack is correct.
. "${BASH_SOURCE%/*}/lib.sh"

libraries=()
for name in hot_a hot_b hot_c hot_d; do
	compile $name.so hot.c -shared -fPIC -DHOT=$name
	libraries+=("$work/$name.so")
done
compile storm storm.c
bare bare "$work/storm" 1 "${libraries[@]}"
hz=10000
measured storm "$work/storm" "${STORM_SECONDS:-5}" "${libraries[@]}"
expect "same outcome" ended storm "$(outcome bare)"
expect "same output" same_output bare storm
cat "$work/storm.err"

folded storm
echo "  $(path_sum storm .) samples, $(path_sum storm 'hot_[a-d]') in the libraries"
expect "enough samples" between 2000 "$(path_sum storm 'hot_[a-d]')" 1e9
right='(^|;)storm;once;hot_entry(;hot_a_call(;hot_a(@plt)?(;burn_ms|;thread_cpu_ns|;[^;]*clock_gettime[^;]*|;[^;]*vdso[^;]*)*)?'
for name in hot_b hot_c hot_d; do
	right+="|;${name}_call(;$name(@plt)?(;burn_ms|;thread_cpu_ns|;[^;]*clock_gettime[^;]*|;[^;]*vdso[^;]*)*)?"
done
wrong=$(paths storm | grep 'hot_' | grep -vE "$right)?\$" | head -n 5)
expect "no wrong stack: $wrong" test -z "$wrong"
# Before main and after a thread's function, stacks have only the C library's frames; such samples are few.
rooted='(^|;)(storm|main)(;|$)'
stray=$(paths storm | grep -vE "$rooted" | grep -E '(^|;)(once|hot_|burn_ms|thread_cpu_ns|0x)' | head -n 5)
expect "every stack of the program begins at the thread's start: $stray" test -z "$stray"
all=$(path_sum storm .)
expect "few stacks are without the program" \
	between 0 "$((all - $(path_sum storm "$rooted")))" "$((all / 100))"
finish
