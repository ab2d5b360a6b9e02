#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# System calls that a signal would interrupt are not interrupted by samples on the CPU clock, the default.
. "${BASH_SOURCE%/*}/lib.sh"

compile eintr eintr.c
for hz in 1000 10000; do
	same_behaviour "eintr-$hz" "$work/eintr"
done
expect "the bare program saw no EINTR" test "$(grep -c ': 0 interrupted' "$work/eintr-1000.out")" = 7
folded eintr-1000
expect "sampled" has_path eintr-1000 '(^|;)burn_here(;|$)'
finish
