#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The signal mask that programs and threads inherit is the program's, without an exception for the signal of samples.
. "${BASH_SOURCE%/*}/lib.sh"

compile exec_mask exec_mask.c
for signal in 0 23 5; do
	[ "$signal" = 0 ] || run_options=(--sample-signal "$signal")
	for way in execve execl fexecve execveat syscall fork vfork vfork_setmask vfork_unblock spawn spawn_setmask system \
		popen thread attributes; do
		same_behaviour "$way-$signal" "$work/exec_mask" "$way"
	done
done
expect "all are blocked in what is executed" grep -Eq '^9 19 (32 33 )?are not blocked$' "$work/execve-0.out"
finish
