#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# HEDDLE_PHASE ends with its block; heddle_value, when measured, refuses what is not a valid name.
. "${BASH_SOURCE%/*}/lib.sh"
for compiler in gcc "$HEDDLE_CLANG"; do
	for optimize in -O0 -O2; do
		name=c-${compiler##*/}$optimize
		built "$name" "$compiler" -std=c99 $optimize -Wall -Wextra -Werror -I"$HEDDLE_SOURCE/include" "$here/c_scope.c"
		bare "$name.bare" "$work/$name"
		expect "$name: unmeasured, calls do nothing" test "$(cat "$work/$name.bare.out")" = 9
		measured "$name" "$work/$name"
		expect "$name: names are checked" test "$(cat "$work/$name.out")" = $((9 - 22 - 22))
		folded "$name" --metric visits
		visits "$name" ';phase block$' 6
		visits "$name" ';phase block;phase inner$' 3
		value "$name" sum 'value  min 9 · mean 9 · max 9 · sum 9 (1 value)'
	done
done
finish
