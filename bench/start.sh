#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What measuring adds to a process that ends at once: its CPU time bare, with events alone, and with samples, which need
# a copy of the call frame information of all its modules. For a small program, one with a large library, and a large
# one.
# Usage: bench/start.sh
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-7} count=${COUNT:-20}
have "$heddle" heddle "./dev build" || exit 77
build start start.c
: > "$work/empty.i"

# compare NAME PROGRAM ARGUMENT...
compare() {
	local name=$1
	shift
	[ -x "$1" ] || { echo "without $name: no $1" >&2; return; }
	: > "$work/results"
	for _ in $(seq "$repeats"); do
		"$work/start" "$count" "$@" | record bare
		measure --sample-hz 0 -- "$work/start" "$count" "$@" | record events
		measure -- "$work/start" "$count" "$@" | record samples
	done
	echo "$name"
	table ms "CPU time" bare events samples
}

machine
compare true "$(type -P true)"
compare python3 /usr/bin/python3 -c pass
compare cc1 "$(gcc -print-prog-name=cc1)" -quiet "$work/empty.i" -o /dev/null
