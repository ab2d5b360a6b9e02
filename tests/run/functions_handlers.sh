#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Handlers that call instrumented functions, in a program that does nothing else, so that they interrupt the hooks; some
# jump out of them. All their calls are counted, and nothing stays open.
. "${BASH_SOURCE%/*}/lib.sh"

for compiler in gcc "$HEDDLE_CLANG"; do
	command -v "$compiler" > /dev/null || continue
	name=$compiler
	CC=$compiler compile "$name" handlers.c -finstrument-functions -fno-omit-frame-pointer
	for hz in 0 1000; do
		same_behaviour "$name" "$work/$name"
		# A signal may still arrive while the timer is stopped: 1000, or one more.
		handled=$(awk '$1 == "handled" { print $2 }' "$work/$name.err")
		folded "$name" --metric visits
		expect "$name: handlers" test "$(path_sum "$name" ';handler$')" = "$handled"
		expect "$name: their calls" test "$(path_sum "$name" ';handler;in_handler$')" = $((2 * handled))
		expect "$name: main was called once" test "$(path_sum "$name" '(^|;)main$')" = 1
		expect "$name: nothing stands under what was left" no_path "$name" '(in_handler;|handler;(main|branch|leaf))'
		# The next handler may start before any event shows that the previous one was left: ten were.
		expect "$name: but a next handler" between 0 "$(path_sum "$name" ';handler;handler$')" 10
	done
done
finish
