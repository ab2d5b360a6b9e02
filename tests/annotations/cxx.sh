#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# heddle.hpp: phases end with their block, also by an exception; with standards from C++11 on, and both compilers.
. "${BASH_SOURCE%/*}/lib.sh"
for compiler in g++ "$HEDDLE_CLANGXX"; do
	command -v "$compiler" > /dev/null || { echo "skipped: no $compiler"; continue; }
	for flags in "-std=c++11 -O0" "-std=c++20 -O2"; do
		name=cxx-${compiler##*/}-${flags##*-}
		# shellcheck disable=SC2086 # several
		built "$name" "$compiler" $flags -Wall -Wextra -Werror -I"$HEDDLE_SOURCE/include" "$here/languages.cpp"
		traced "$name" "$work/$name"
		visits "$name" '^main;phase all of it$' 1
		visits "$name" '^main;phase all of it;(fails;)?phase throwing$' 8
		visits "$name" 'unseen' 0
		value "$name" step 'value  min 0 · mean 3.5 · max 7 · sum 28 (8 values)'
		expect "$name: Heddle's own functions are not on the path" no_path "$name" 'heddle::'
	done
done
finish
