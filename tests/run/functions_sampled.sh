#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Events and samples of functions form one tree: each function appears once, with its visits and its samples.
. "${BASH_SOURCE%/*}/lib.sh"

simulate
# part NAME FUNCTION MILLISECONDS
part() { is_sum "$1" "^main;solve;$2(;|\$)" "${3}000000"; }

for compiler in gcc "$HEDDLE_CLANG"; do
	command -v "$compiler" > /dev/null || continue
	for level in -O0 -O2; do
		name=$compiler$level
		CC=$compiler compile "$name" one_tree.c -finstrument-functions -fno-omit-frame-pointer $level
		measured "$name" "$work/$name"
		folded "$name" --metric visits
		expect "$name: visits" diff <(grep '^main\(;solve\(;kernel\|;small\)*\)* ' "$work/$name.folded" | LC_ALL=C sort) <(
			printf '%s\n' 'main 1' 'main;solve 2' 'main;solve;kernel 30' 'main;solve;small 40')
		folded "$name" --metric cpu-time
		expect "$name: three fifths in kernel" part "$name" kernel 60
		expect "$name: two fifths in small" part "$name" small 40
		expect "$name: each function stands once in the tree" test 1 = \
			"$("$heddle" report --tree "$work/$name.heddle.d" 2> /dev/null | grep -c ' kernel$')"
	done
done
finish
