#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A routine of the OpenMP runtime that the program calls for what it returns is shown as the program's call, with its
# time, and is no overhead of the runtime: LLVM's and GCC's.
. "${BASH_SOURCE%/*}/lib.sh"

share_is_call() { # name, caller, both, divisor of the least share
	local all
	all=$(path_sum "$1" "(^|;)$2(;|\$)")
	between "$((all / $4))" "$(path_sum "$1" "(^|;)$3(;|\$)")" "$all"
}

# Nothing of the caller is elsewhere than in itself and its call, but for a sample of Heddle's own time.
nothing_else() { # name, caller, both
	local all
	all=$(path_sum "$1" "(^|;)$2(;|\$)")
	between "$((all * 9 / 10))" "$(($(path_sum "$1" "(^|;)$2\$") + $(path_sum "$1" "(^|;)$3(;|\$)")))" "$all"
}

try() { # name
	local name=$1
	compile "$name" user_calls.c -fopenmp
	same_behaviour "$name" "$work/$name"
	folded "$name" --metric cpu-time
	# Of three instructions, the processor decides at which it takes a timer's interrupt: no share follows from that.
	for call in 'read_clock;omp_get_wtime/2' 'read_number;omp_get_thread_num/10'; do
		local divisor=${call#*/}
		call=${call%/*}
		expect "$name: $call" has_path "$name" "^main;$call"
		local caller=${call%;*}
		expect "$name: 1/$divisor or more of $caller is its call" \
			right_once "$name" share_is_call "$name" "$caller" "$call" "$divisor"
		expect "$name: the rest of $caller is its own" nothing_else "$name" "$caller" "$call"
		expect "$name: none of $caller is overhead" no_path "$name" "$caller;(.*;)?\[omp overhead\]"
	done
}

try clang
expect "clang: also in a task" has_path clang 'omp task @[^;]*;read_clock;omp_get_wtime'
CC=gcc try gcc
finish
