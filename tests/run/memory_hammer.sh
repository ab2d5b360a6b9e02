#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Eight threads free each other's blocks: no block is lost or counted twice. No deadlock occurs with fork, with handlers
# that interrupt an allocation and allocate, or while measurement is switched off and on.
. "${BASH_SOURCE%/*}/lib.sh"

numbers=$HEDDLE_BUILD/tests/numbers
number() { "$numbers" "$work/$1.heddle.d" | awk -v key="$2" '$1 == key { print $2 }'; }

CC=gcc compile hammer hammer.c -fno-builtin -I "$HEDDLE_SOURCE/include"
# A handler that allocates may interrupt this allocator, but not that of the C library.
CC=gcc compile libsignal_safe_malloc.so signal_safe_malloc.c -fno-builtin -shared -fPIC
CC=gcc compile hammer_signal hammer.c -fno-builtin -I "$HEDDLE_SOURCE/include" -DSIGNAL_SAFE_MALLOC -L. \
	-lsignal_safe_malloc -Wl,-rpath,"$work"
run_options=(--memory)
for hz in 0 1000; do
	for how in plain fork signal pause; do
		name=$how-$hz
		program=$work/hammer
		[ "$how" != signal ] || program+=_signal
		same_behaviour "$name" "$program" 8 20000 "$how"
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
