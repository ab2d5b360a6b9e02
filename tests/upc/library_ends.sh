#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Wrong programs end with a status and one line with the place and the error, at any number of threads; correct programs
# lose no output.
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
upcc=$HEDDLE_BUILD/libexec/heddle/heddle-upcc1
unset HEDDLE_UPC_HOME UPC_THREADS UPC_SHARED_HEAP_SIZE
cd "$work" || exit 1
"$upcc" -O2 -g "$here/library/ends.upc" -o ends || exit 1
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

# dies HOW STATUS MESSAGE [THREADS...]
dies() {
	local how=$1 wanted=$2 message=$3
	shift 3
	for threads in "${@:-1 2 3 7}"; do
		for count in $threads; do
			timeout "$seconds" ./ends -n "$count" -shared-heap 32M "$how" >out 2>err </dev/null
			status=$?
			[ $status = "$wanted" ] || fail "$how, $count threads: status $status, not $wanted"
			# shellcheck disable=SC2254 # a glob is meant
			case $(cat err) in
			"upc: thread "[0-9]*": "*"ends.upc:"[0-9]*": "$message) ;;
			*) fail "$how, $count threads: said '$(cat err)', not '$message'" ;;
			esac
			[ "$(wc -l <err)" = 1 ] || fail "$how, $count threads: $(wc -l <err) lines"
		done
	done
}

dies read 1 'access through a null pointer-to-shared'
dies write 1 'access through a null pointer-to-shared'
dies index 1 'access through a null pointer-to-shared (or near it)'
dies behind 1 'access through a pointer-to-shared that is out of range: thread 0, *'
dies before 1 'access through a pointer-to-shared that is out of range: below all shared memory'
for function in memget memcpy memset; do
	dies $function 1 "upc_$function with a null pointer-to-shared"
done
dies memput 1 'upc_memput out of range: 4 bytes *'
dies nb 1 'upc_memget_nb with a null pointer-to-shared'
dies lock 1 'upc_lock of a null lock pointer'
dies relock 1 'upc_lock of a lock that this thread holds already'
dies unlock 1 'upc_unlock of a lock that this thread does not hold'
dies free 1 'upc_free of a pointer that is not from an allocation function, *'
dies 'free twice' 1 'upc_free of a pointer that is not from an allocation function, *'
dies 'free twice global' 1 'upc_free of a pointer that is not from an allocation function, *'
dies heap 1 'upc_alloc: no room for 1048576 bytes *'
dies global 1 'upc_global_alloc: no room for 1048576 bytes *'
dies huge 1 'upc_alloc: no room for 18446744073709551615 bytes *'
dies 'notify twice' 1 'upc_notify after a upc_notify that had no upc_wait yet'
dies wait 1 'upc_wait without a upc_notify before it'
dies between 1 'upc_all_alloc between upc_notify and upc_wait, *'
dies 'wait value' 1 'upc_wait with the value 5, but *' 2 3 7
dies 'other wait value' 1 'upc_wait with the value 5, but the upc_notify of thread 0 had 4' 2 3 7
dies collective 1 'upc_*, but thread * has come to upc_*; all threads must call the same' 2 3 7
dies 'late collective' 1 'upc_*, but thread * has come to upc_*; all threads must call the same' 2 3 7
dies roots 1 'upc_all_reduce with other arguments than thread *; all threads must pass the same' 2 3 7
dies functions 1 'upc_*, but thread * has come to upc_*; all threads must call the same' 2 3 7
dies moves 1 'upc_barrier, but thread * has called other collective functions without synchronization before; *' 2 3 7
dies return 1 'upc_* waits for thread *, which has ended with status 0' 2 3 7
# All threads fail at once: one of them prints the message.
dies atomic 1 'upc_atomic_relaxed with a null pointer-to-shared'
dies 'atomic operation' 1 'upc_atomic_relaxed: the domain was not created for this operation'
dies 'atomic domain' 1 'upc_all_atomicdomain_alloc: this type does not have all of these operations'
dies reduction 1 'upc_all_reduceD: operation 4 is not defined for this type'
dies permutation 1 'upc_all_permute: * in the permutation, but the threads are 0 to *'
dies types 1 'upc_all_reduce with other arguments than thread *; all threads must pass the same' 2 3 7

# Lines are complete, and all of them are written, to files and pipes.
for threads in 3 7; do
	timeout "$seconds" ./ends -n $threads lines >whole || fail "lines: status $?"
	timeout "$seconds" ./ends -n $threads lines | cat >piped
	for file in whole piped; do
		[ "$(grep -cE '^line [0-9]+ of thread [0-9], 0{59}[0-9]$' $file)" = $((threads * 2000)) ] || fail "lines are missing, $file"
		[ "$(wc -l <$file)" = $((threads * 2000)) ] || fail "broken lines, $file"
	done
done

# Nobody reads the output any more: the threads end, as any program does, without a message.
(timeout "$seconds" ./ends -n 3 lines 2>err || true) | head -1 >first
[ "$(wc -l <first)" = 1 ] && [ ! -s err ] || fail "a reader that closes the pipe: $(cat err)"

# upc_global_exit: output of the other threads until then is in their files.
timeout "$seconds" ./ends -n 4 'global exit' 2
status=$?
[ $status = 9 ] || fail "upc_global_exit: status $status"
[ "$(cat file.0 file.1 file.3)" = "$(printf 'content\ncontent\ncontent')" ] || fail "upc_global_exit: output of the other threads is missing"

timeout "$seconds" ./ends -n 3 children | sort >out || fail "children: $?"
printf 'child of %d\n' 0 1 2 | diff - out || fail "children's output"

# Many threads on few processors: no thread spins.
timeout "$seconds" ./ends -n 64 -shared-heap 1M || fail "64 threads: status $?"
exit $failed
