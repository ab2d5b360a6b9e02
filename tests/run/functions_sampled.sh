#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Events of functions and samples make one tree: each function once, with its visits and its samples.
. "${BASH_SOURCE%/*}/lib.sh"

for compiler in gcc clang-14; do
	command -v "$compiler" > /dev/null || continue
	for level in -O0 -O2; do
		name=$compiler$level
		CC=$compiler compile "$name" one_tree.c -finstrument-functions -fno-omit-frame-pointer $level
		measured "$name" "$work/$name"
		folded "$name" --metric visits
		expect "$name: visits" diff <(grep '^main\(;solve\(;kernel\|;small\)*\)* ' "$work/$name.folded" | LC_ALL=C sort) <(
			printf '%s\n' 'main 1' 'main;solve 2' 'main;solve;kernel 30' 'main;solve;small 40')
		folded "$name" --metric cpu-time
		expect "$name: 60 ms in kernel" between 30e6 "$(path_sum "$name" '^main;solve;kernel(;|$)')" 90e6
		expect "$name: 40 ms in small" between 25e6 "$(path_sum "$name" '^main;solve;small(;|$)')" 70e6
		expect "$name: each function stands once in the tree" test 1 = \
			"$("$heddle" report --tree "$work/$name.heddle.d" 2> /dev/null | grep -c ' kernel$')"
	done
done
finish
