#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# C++: templates, members, lambdas and exceptions inside regions and tasks, with names as in the source.
. "${BASH_SOURCE%/*}/lib.sh"

simulate
compile truth truth_cxx.cpp -fopenmp
measured cxx "$work/truth" 2 3000
expect "ends well" ended cxx "exit 0"
truth_whole cxx
expect "no mangled name" no_path cxx '(^|;)_Z'
at() { printf '@([^;]*/)?truth_cxx\\.cpp:%s' "$(line_of truth_cxx.cpp "$1")"; }
call='(\([^;]*\))?( const)?(;|$)' # with or without the parameters
name='(void )?(work::)?'
truth_exact cxx <<-EOT
	burn_template<int> ^main;omp parallel $(at templates);${name}burn_template<int>$call
	burn_template<double> ^main;omp parallel $(at templates);${name}burn_template<double>$call
	burn_member ^main;${name}(Solver::)?solve(\([^;]*\))?( const)?;omp parallel $(at solve);${name}(Solver::)?burn_member$call
	burn_in_lambda ^main;${name}apply<[^;]*;omp parallel $(at apply);([^;]*;)?${name}burn_in_lambda$call
	burn_thrown ^main;${name}exceptions(\(\))?;omp parallel $(at exceptions);(omp single[^;]*;)*omp task $(at thrown);(${name}burn_thrown(\([^;]*\))?(;|$))+
EOT
finish
