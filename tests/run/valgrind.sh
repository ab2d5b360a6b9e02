#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program that valgrind simulates: no sample ends it by a signal that valgrind does not expect, memcheck finds nothing
# in Heddle, and the program's functions are in the profile.
. "${BASH_SOURCE%/*}/lib.sh"
need valgrind

CC=gcc compile simulated simulated.c
for tool in memcheck none; do
	same_behaviour "$tool" valgrind -q --tool="$tool" "$work/simulated"
	expect "$tool: valgrind has nothing to say" test -z "$(grep -v '^heddle' "$work/$tool.err")"
	folded "$tool" --metric samples
	expect "$tool: both threads are sampled" between 2 "$(path_sum "$tool" '^(main;)?thread;burn_simulated')" 1e9
done
finish
