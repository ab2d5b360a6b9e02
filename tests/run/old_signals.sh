#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The older signal functions (System V's, BSD's) have the same results and effects as without Heddle, for fatal signals
# and for those that samples use.
. "${BASH_SOURCE%/*}/lib.sh"

compile old_signals old_signals.c
for options in "" "--sample-signal 23" "--sample-source posix"; do
	read -ra run_options <<< "$options"
	name=old_signals${options//[- ]/}
	sampled_all "$name" 200000000 '(^|;)burn_here(;|$)' "$work/old_signals" 2 5 10 15 17 23
done
expect "the program itself works" grep -qx 'sigset: default 1 count hold 1 hold 2 count' \
	"$work/old_signals.bare.out"
finish
