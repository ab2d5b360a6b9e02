#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# GCC's teams on LLVM's runtimes, which fork them by a separate function: the league and what all its teams do are below
# the code with the construct.
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"

CC=gcc compile gomp_teams gomp_teams.c -fopenmp
run_options=(--openmp-runtime llvm)
try_runtime() {
	measured "$1" "$work/gomp_teams"
	expect "$1: ends well" ended "$1" "exit 0"
	folded "$1" --metric visits
	expect "$1: the league" has_path "$1" '^main;league;omp teams @[^;]*$'
	expect "$1: its teams" test "$(path_sum "$1" '^main;league;omp teams @[^;]*;omp initial task$')" = 2
	folded "$1" --metric cpu-time
	expect "$1: the teams' work" has_path "$1" '^main;league;omp teams @[^;]*;burn_in_team'
	expect "$1: a loop's work" has_path "$1" '^main;distributed;omp teams @[^;]*;burn_in_loop'
	expect "$1: no other paths" no_path "$1" '^omp hidden helpers|__libc_start|omp parallel|^burn_'
	# Most samples are in the runtime, which forks a separate team for each initial task.
	hz=10000
	measured "$1-empty" "$work/gomp_teams" 3000
	hz=1000
	folded "$1-empty" --metric samples
	expect "$1: no frames of the program's below a league" no_path "$1-empty" ';omp teams @[^;]*;(_start|main|__libc_start)'
}
for_each_runtime try_runtime
finish
