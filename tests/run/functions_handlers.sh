#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Handlers call instrumented functions and interrupt the hooks of a program that does nothing but call functions; some
# jump out. All calls are counted, and no function stays open.
. "${BASH_SOURCE%/*}/lib.sh"

# With an argument, the handler has its own stack.
try() {
	same_behaviour "$name" "$work/$name" "$@"
	read -r handled jumped < <(awk '$1 == "handled" { print $2, $4 }' "$work/$name.err")
	folded "$name" --metric visits
	expect "$name: handlers" test "$(path_sum "$name" ';handler$')" = "$handled"
	expect "$name: their calls" test "$(path_sum "$name" ';handler;in_handler$')" = $((2 * handled))
	expect "$name: main was called once" test "$(path_sum "$name" '(^|;)main$')" = 1
	expect "$name: no path continues below a function left by a jump" no_path "$name" '(in_handler;|handler;(main|branch|leaf))'
	# The next handler may start before an event shows that one was left.
	expect "$name: handlers below handlers left by a jump" between 0 "$(path_sum "$name" ';handler;handler$')" "$jumped"
}

for compiler in gcc "$HEDDLE_CLANG"; do
	command -v "$compiler" > /dev/null || continue
	name=$compiler
	CC=$compiler compile "$name" handlers.c -finstrument-functions -fno-omit-frame-pointer
	for hz in 0 1000; do
		try
		try apart
	done
done
finish
