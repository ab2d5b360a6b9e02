#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program whose main thread ends first: exit handlers run in the program's last thread, not in one of Heddle's, which
# has a small stack and all signals blocked.
. "${BASH_SOURCE%/*}/lib.sh"

compile last_thread last_thread.c
for options in "" "--flush-seconds 1" "--trace"; do
	read -ra run_options <<< "$options"
	same_behaviour "last_thread${options//[^a-z]/_}" "$work/last_thread" 500
	expect "a profile${options:+, $options}" test "$(profile_files "last_thread${options//[^a-z]/_}")" = 1
done
expect "the worker runs the exit handlers" grep -qx 'in the worker, SIGTERM is free' "$work/last_thread.out"
finish
