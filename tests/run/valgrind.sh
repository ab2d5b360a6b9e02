#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program simulated by valgrind: no sample ends it by a signal that valgrind does not expect, memcheck finds nothing
# in Heddle, and the program's functions are in the profile.
. "${BASH_SOURCE%/*}/lib.sh"
need valgrind

CC=gcc compile simulated simulated.c
CC=gcc compile fixed simulated.c -no-pie
for tool in memcheck none; do
	same_behaviour "$tool" valgrind -q --tool="$tool" "$work/simulated"
	expect "$tool: valgrind has nothing to say" test -z "$(grep -v '^heddle' "$work/$tool.err")"
	folded "$tool" --metric samples
	expect "$tool: both threads are sampled" between 2 "$(path_sum "$tool" '^(main;)?thread;burn_simulated')" 1e9
done
# A program that is not position independent has base address 0; valgrind hides the address of the vdso.
measured fixed valgrind -q --tool=none "$work/fixed"
folded fixed --metric samples
expect "not position independent: its functions have names" between 2 "$(path_sum fixed '^(main;)?thread;burn_simulated')" 1e9
finish
