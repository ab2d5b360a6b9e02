#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Eight threads free each other's blocks: no block is lost or counted twice. No deadlock occurs with fork, with handlers
# that allocate, or while measurement is switched off and on.
. "${BASH_SOURCE%/*}/lib.sh"

numbers=$HEDDLE_BUILD/tests/numbers
number() { "$numbers" "$work/$1.heddle.d" | awk -v key="$2" '$1 == key { print $2 }'; }

CC=gcc compile hammer hammer.c -fno-builtin -I "$HEDDLE_SOURCE/include"
run_options=(--memory)
for hz in 0 1000; do
	for how in plain fork signal pause; do
		name=$how-$hz
		same_behaviour "$name" "$work/hammer" 8 20000 "$how"
		[ "$how" = pause ] || expect "$name: all blocks were counted" between 160000 "$(number "$name" allocations)" 1e9
		children=0
		[ "$how" != fork ] || children=$((30 * 12345)) # each child keeps a block
		expect "$name: in use = allocated - freed" test "$(number "$name" memory_in_use)" = \
			$(($(number "$name" bytes-allocated) - $(number "$name" bytes-freed)))
		# Only what the C library caches for eight threads (and its buffers) remains.
		expect "$name: nothing else is in use" between "$children" "$(number "$name" memory_in_use)" $((children + 20000))
	done
done
finish
