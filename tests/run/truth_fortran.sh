#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Fortran, built by gfortran, has its OpenMP context when run on LLVM's runtime.
. "${BASH_SOURCE%/*}/lib.sh"

simulate
compile truth truth_fortran.f90 -fopenmp "$programs/burn_fortran.c"
bare fortran.bare "$work/truth"
run_options=(--openmp-runtime llvm)
measured fortran "$work/truth"
expect "ends well" ended fortran "exit 0"
folded fortran --metric cpu-time
expect "no foreign frame in a path" no_path fortran "$foreign_frames"
expect "no compiler-made name in a path" no_path fortran "$compiler_names"
program='^main;(MAIN__|truth_fortran);'
at='@([^;]*/)?truth_fortran\.f90:[0-9]+'
truth_exact fortran <<-EOT
	burn_region ${program}omp parallel $at;work::burn_region(;|$)
	burn_loop ${program}omp parallel $at;(omp (loop|for|do)[^;]*;)*work::burn_loop(;|$)
	burn_task ${program}tasking;omp parallel $at;(omp single[^;]*;)*omp task $at;burn_task(;|$)
EOT
finish
