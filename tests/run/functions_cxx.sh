#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Exceptions that pass through instrumented functions leave none of them open.
. "${BASH_SOURCE%/*}/lib.sh"

# Clang reports no end of a function left by an exception. An inlined function ends with its caller, whose frame it has.
catch='main;catches;leaf 100'
for compiler in g++ "$HEDDLE_CLANGXX"; do
	command -v "$compiler" > /dev/null || continue
	for level in -O0 -O2; do
		name=$compiler$level
		CXX=$compiler compile "$name" functions_cxx.cpp -finstrument-functions -fno-omit-frame-pointer $level
		hz=0 same_behaviour "$name" "$work/$name"
		folded "$name" --metric visits
		[ "$compiler" = g++ ] || catch='main;catches;passes_inlined;leaf 100'
		expect "$name: exactly the calls that were made" diff <(LC_ALL=C sort "$work/$name.folded") <(LC_ALL=C sort <<-END
			main 1
			main;catches 100
			main;catches;passes_inlined 100
			main;catches;passes_inlined;cleans_up 100
			main;catches;passes_inlined;cleans_up;guard::~guard 100
			main;catches;passes_inlined;cleans_up;guard::~guard;leaf 100
			main;catches;passes_inlined;cleans_up;passes 100
			main;catches;passes_inlined;cleans_up;passes;throws 100
			$catch
			main;leaf 1
		END
		)
	done
done
finish
