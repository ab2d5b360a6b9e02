#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Functions instrumented by the compilers' hooks: exactly the calls that were made are counted, on their paths, however
# they ended; with samples, the counts and paths are the same.
. "${BASH_SOURCE%/*}/lib.sh"

expected='early 1
early;leaf 1
main 1
main;branch 3
main;branch;leaf 15
main;calls_in_tail_position 7
main;calls_in_tail_position;tail 7
main;calls_in_tail_position;tail;leaf 7
main;calls_inlined 1
main;calls_inlined;leaf 1
main;calls_inlined;outer 2
main;calls_inlined;outer;inner 4
main;calls_inlined;outer;inner;leaf 4
main;deep 1
main;ends 1
main;ends;at_end 1
main;ends;at_end;leaf 1
main;ends;leaf 1
main;fib 1
main;jumps_often 1
main;jumps_often;jumps 1000
main;jumps_often;jumps;jumps 1000
main;jumps_often;jumps;jumps;jumps 1000
main;jumps_often;jumps;jumps;jumps;jumps 1000
main;jumps_often;jumps;jumps;jumps;jumps;leaf 1000
main;jumps_often;jumps;jumps;jumps;leaf 1000
main;jumps_often;jumps;jumps;leaf 1000
main;jumps_often;jumps;leaf 1000
main;jumps_often;leaf 1
main;raises 2
main;raises;handler 2
main;raises;handler;leaf 2
main;raises;leaf 2
main;run_threads 1
main;run_threads;pthread_create;thread 4
main;run_threads;pthread_create;thread;branch 4
main;run_threads;pthread_create;thread;branch;leaf 40
main;run_threads;pthread_create;thread;ends_thread 4
main;run_threads;pthread_create;thread;ends_thread;leaf 4
main;take_signals 2'

# Recursive calls below the first one of each function are left out: only their sum is checked.
# shellcheck disable=SC2317 # called by expect
same_calls() { diff <(grep -vE ';(fib;fib|deep;deep)' "$work/$1.folded" | LC_ALL=C sort) <(echo "$expected"); }

check() {
	folded "$1" --metric visits
	expect "$1: exactly the calls that were made" same_calls "$1"
	expect "$1: calls of fib(10)" test "$(path_sum "$1" '^main;fib(;fib)*$')" = 177
	expect "$1: a recursion of 401, one call at each depth" test \
		"$(grep -cE '^main(;deep)+ 1$' "$work/$1.folded")" = 401
}

for compiler in gcc "$HEDDLE_CLANG"; do
	command -v "$compiler" > /dev/null || continue
	for options in "-O0 -fno-omit-frame-pointer" "-O2 -fno-omit-frame-pointer" "-O3 -fno-omit-frame-pointer" \
		"-O2 -fomit-frame-pointer"; do
		read -ra flags <<< "$options"
		name="$compiler${options// /}"
		CC=$compiler compile "$name" functions.c -finstrument-functions -foptimize-sibling-calls "${flags[@]}"
		hz=0 same_behaviour "$name" "$work/$name"
		check "$name"
		hz=1000 measured "$name" "$work/$name"
		check "$name"
	done
done
finish
