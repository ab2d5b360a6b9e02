#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# With events alone all time of a thread is charged: the root's inclusive time is the wall time, within 0.1 %.
. "${BASH_SOURCE%/*}/lib.sh"

numbers=$HEDDLE_BUILD/tests/numbers
hz=0
CC=gcc compile one_tree one_tree.c -finstrument-functions -fno-omit-frame-pointer
CC=gcc compile functions functions.c -finstrument-functions -fno-omit-frame-pointer
number() { awk -v key="$2" '$1 == key { print $2 }' "$work/$1.numbers"; }
# shellcheck disable=SC2317 # called by expect
near() { between "$(awk -v x="$2" 'BEGIN { printf "%.0f", x * .999 - 1000 }')" "$1" "$(awk -v x="$2" 'BEGIN { printf "%.0f", x * 1.001 + 1000 }')"; }

for name in one_tree functions; do
	measured "$name" "$work/$name"
	"$numbers" "$work/$name.heddle.d" > "$work/$name.numbers"
	expect "$name: the columns' sum is the threads' wall time" near "$(number "$name" wall-time)" "$(number "$name" threads_wall_ns)"
	folded "$name" --metric wall-time
	expect "$name: and the paths'" near "$(path_sum "$name" .)" "$(number "$name" threads_wall_ns)"
done
# Before and after that is what a busy machine makes of the start and the end of a process.
expect "the only thread's wall time is the process's" \
	between 0 $(($(number one_tree lasted_ns) - $(number one_tree threads_wall_ns))) $(($(number one_tree lasted_ns) / 2))
expect "main has all of it but the program's start" \
	between "$(awk -v x="$(number one_tree threads_wall_ns)" 'BEGIN { printf "%.0f", x * .5 }')" "$(path_sum one_tree '^main(;|$)')" \
	"$(number one_tree threads_wall_ns)"
finish
