#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# heddle.f90: phases and values in Fortran; trailing blanks of names are removed.
. "${BASH_SOURCE%/*}/lib.sh"
need gfortran
for optimize in -O0 -O2; do
	name=fortran$optimize
	built "$name.o" gfortran -std=f2008 $optimize -Wall -Werror -c "$HEDDLE_SOURCE/include/heddle/heddle.f90"
	built "$name" gfortran -std=f2008 $optimize -Wall -Werror "$here/languages.f90" "$name.o"
	traced "$name" "$work/$name"
	visits "$name" ';phase outer$' 1
	visits "$name" ';phase outer;phase step$' 4
	value "$name" residual 'value  min 1.5 · mean 3.75 · max 6 · sum 15 (4 values)'
	value "$name" single 'value  min 0.5 · mean 1.25 · max 2 · sum 5 (4 values)'
	value "$name" iteration 'value  min 1 · mean 2.5 · max 4 · sum 10 (4 values)'
	expect "$name: the module's functions are not on the path" no_path "$name" 'heddle_phase|value_of'
done
finish
