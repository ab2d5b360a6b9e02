#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# passes.sh PROGRAM: the program passes with 1, 2, 3, 4 and 7 threads, with little shared memory.
. "$HEDDLE_SOURCE/tests/upc_runtime/lib.sh"

for threads in 1 2 3 4 7; do
	run "$programs/$1" -n $threads -shared-heap 32M
	expect 0
	[ "$(cat out)" = passed ] || fail "$1 with $threads threads: $(head -3 out)"
	[ $failed = 0 ] || break
done
finish
