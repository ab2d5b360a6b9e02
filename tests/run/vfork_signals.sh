#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A vfork child shares its parent's memory, but not its signal actions: what it sets has no effect on the parent. Tested
# for the signals that samples use, and for a fatal one.
. "${BASH_SOURCE%/*}/lib.sh"

compile vfork_signals vfork_signals.c
for signal in 5 15 23; do
	same_behaviour "default-$signal" "$work/vfork_signals" "$signal"
	run_options=(--sample-signal "$signal")
	same_behaviour "chosen-$signal" "$work/vfork_signals" "$signal"
	run_options=()
done
expect "the bare program handles all signals" grep -qx '3 handled' "$work/default-23.bare.out"
finish
