#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A routine of the OpenMP runtime that the program calls for its result is shown as the program's call, with its time,
# and is not overhead of the runtime: for LLVM's and GCC's.
. "${BASH_SOURCE%/*}/lib.sh"

# The caller's time is in the caller itself and in its call, except for samples in Heddle's own code, and in the dynamic
# linker, which binds the call when it is made first.
nothing_else() { # name, caller, both
	reason=$(paths "$1" | grep -E "(^|;)$2;" | grep -vE "(^|;)$3\$|\[heddle|heddle__|;(ld-linux|_dl_)" | head -n 3)
	[ -z "$reason" ]
}

try() { # name
	local name=$1
	compile "$name" user_calls.c -fopenmp
	same_behaviour "$name" "$work/$name"
	folded "$name" --metric cpu-time
	# Which of the three instructions takes a timer's interrupt depends on the processor, so shares are not checked.
	for call in 'read_clock;omp_get_wtime' 'read_number;omp_get_thread_num'; do
		expect "$name: $call" has_path "$name" "^main;$call"
		local caller=${call%;*}
		expect "$name: $caller has no other callees" nothing_else "$name" "$caller" "$call"
		expect "$name: none of $caller is overhead" no_path "$name" "$caller;(.*;)?\[omp overhead\]"
	done
}

try clang
expect "clang: also in a task" has_path clang 'omp task @[^;]*;read_clock;omp_get_wtime'
CC=gcc try gcc
finish
