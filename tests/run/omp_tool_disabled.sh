#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# With OMP_TOOL=disabled the OpenMP front end is inactive, and sampling continues.
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/truth_paths.sh"

compile truth truth.c -fopenmp
export OMP_TOOL=disabled
simulate
measured disabled "$work/truth" 2 2000
expect "ends well" ended disabled "exit 0"
folded disabled --metric cpu-time
expect "no OpenMP region" no_path disabled 'omp (parallel|task|barrier)'
truth_exact disabled < <(truth_functions)
finish
