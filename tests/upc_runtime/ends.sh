#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# However one thread ends, all threads end: with one line if something is wrong, and with the correct exit status.
. "$HEDDLE_SOURCE/tests/upc_runtime/lib.sh"
exec 2>&1 # the shell's messages about killed programs do not count as the programs'
ends="$programs/upc_ends"

for threads in 1 2 3 7; do
	last=$((threads - 1))
	run "$ends" -n $threads none
	expect 0
	[ "$(sort out | tr '\n' ' ')" = "$(seq -f 'thread %.0f' 0 $last | tr '\n' ' ')" ] || fail "$threads threads: output"
	run "$ends" -n $threads exit3 $last
	expect 3
	run "$ends" -n $threads _exit4 $last
	expect 4
	run "$ends" -n $threads none 0 - 7
	expect 7
	run "$ends" -n $threads global5 $last busy
	expect 5
	[ "$(wc -l <out)" = $threads ] || echo "note: a thread was ended before it wrote"
	run "$ends" -n $threads null $last busy
	expect 1 "upc: thread $last: *upc_ends.c:[1-9]*: access through a null pointer-to-shared"
	run "$ends" -n $threads near $last busy
	expect 1 "upc: thread $last: *upc_ends.c:[1-9]*: access through a null pointer-to-shared (or near it)"
	run "$ends" -n $threads -shared-heap 1M behind $last busy
	expect 1 "upc: thread $last: *upc_ends.c:[1-9]*: access through a pointer-to-shared that is out of range: thread 0, *"
	run "$ends" -n $threads nobody $last busy
	expect 1 "upc: thread $last: *upc_ends.c:[1-9]*: access through a pointer-to-shared to thread $threads, but the threads are 0 to $last"
	run "$ends" -n $threads twice $last busy
	expect 1 "upc: thread $last: program.upc:10: upc_free of a pointer that is not *"
	run "$ends" -n $threads unlock $last busy
	expect 1 "upc: thread $last: program.upc:11: upc_unlock of a lock that this thread does not hold"
	run "$ends" -n $threads -shared-heap 4M hoard $last busy
	expect 1 "upc: thread $last: program.upc:12: upc_alloc: no room for 1048576 bytes in a thread's shared memory of 4194304; *"
	run "$ends" -n $threads memput $last busy
	expect 1 "upc: thread $last: program.upc:13: upc_memput with a null pointer-to-shared"
	run "$ends" -n $threads notify $last busy
	expect 1 "upc: thread $last: program.upc:15: upc_notify after a upc_notify that had no upc_wait yet"
	run "$ends" -n $threads wait $last busy
	expect 1 "upc: thread $last: program.upc:16: upc_wait without a upc_notify before it"
done

# Signals, in programs with one thread and with several.
signals="segv:11:139 private:11:139 abort:6:134 kill:9:137"
sanitized && signals=kill:9:137
for how in $signals; do
	IFS=: read -r name number status_wanted <<<"$how"
	run "$ends" -n 3 "$name" 1 busy
	expect "$status_wanted" "upc: thread 1: killed by signal $number (*"
done

if ! sanitized; then
	run "$ends" segv
	expect 139
fi

# Other threads wait for a thread that has ended.
run "$ends" -n 3 exit3 1 barrier
expect 3 "upc: thread [02]: program.upc:*: upc_barrier waits for thread 1, which has ended with status 3"
run "$ends" -n 3 _exit4 2 barrier
expect 4 "upc: thread [01]: program.upc:*: upc_barrier waits for thread 2, which has ended with status 4"
run "$ends" -n 2 none 0 barrier
expect 0

# Threads call different functions, or with different values.
run "$ends" -n 2 value
expect 1 "upc: thread *: program.upc:*: upc_barrier with the value [01], but thread [01] has [01] at program.upc:*; all must be equal"
run "$ends" -n 2 collective 1 barrier
expect 1 "upc: thread *: program.upc:*: upc_*, but thread * has come to upc_* at program.upc:*; all threads must call the same"
run "$ends" -n 2 arguments 1
expect 1 "upc: thread *: program.upc:*: upc_all_alloc with other arguments than thread * at program.upc:*; all threads must pass the same"
finish
