#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# GCC's sections on LLVM's runtimes, which report them as loops: sampling distinguishes them.
. "${BASH_SOURCE%/*}/lib.sh"

CC=gcc compile gomp_sections gomp_sections.c -fopenmp
visits() { expect "$1: $2 times $3" test "$(path_sum "$1" "omp parallel @[^;]*;$3( @[^;]*)?\$")" = "$2"; }
run_options=(--openmp-runtime llvm)
measured sampled "$work/gomp_sections"
expect "ends well" ended sampled "exit 0"
folded sampled --metric visits
visits sampled 4 'omp sections'
visits sampled 2 'omp for'
folded sampled --metric cpu-time
expect "work of sections is below them" has_path sampled '^main;omp parallel @[^;]*;omp sections @[^;]*;burn_in_section'
expect "work of sections and loops is on no other path" no_path sampled 'omp for[^;]*;burn_in_section|omp parallel @[^;]*;burn_in_section|omp sections[^;]*;burn_in_loop'
hz=0
measured events "$work/gomp_sections"
folded events --metric visits
visits events 6 'omp for'
finish
