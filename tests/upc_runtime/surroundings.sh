#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What a started program gets: the number of threads, its own arguments, input for thread 0, no extra open files.
. "$HEDDLE_SOURCE/tests/upc_runtime/lib.sh"
# shellcheck disable=SC2012
files=$(($(ls /proc/self/fd | wc -l) - 1)) # as many as any program has in this environment; ls has one more
program="$programs/upc_surroundings"
fixed="$programs/upc_static_threads"

# threads COUNT ARGUMENTS INPUT: each thread of the last run printed these arguments and this input.
threads() {
	seq 0 $(($1 - 1)) | while read -r t; do
		echo "$t/$1 $2input=$([ "$t" = 0 ] && echo "$3" || echo nothing) files=$files name=upc_surrounding"
	done >wanted
	sort -n out | diff wanted - || fail "$ran"
}

run "$program"
expect 0
threads 1 'end ' nothing
echo words >words
timeout "${HEDDLE_TEST_SECONDS:-240}" "$program" -n 3 -x 'a b' -n 7 <words >out || fail "arguments and input"
threads 3 '-x a b -n 7 end ' words
UPC_THREADS=2 run "$program" x
expect 0
threads 2 'x end ' nothing
UPC_THREADS=2 run "$program" -n 1 -shared-heap 1M x
threads 1 'x end ' nothing
# Options as of programs of GNU UPC.
run "$program" -n2 x -n3
threads 2 'x -n3 end ' nothing
run "$program" -fupc-threads-3 -fupc-heap-1M -fupc-heap=64K -fupc-sched-strict x
threads 3 'x end ' nothing
run "$program" -fupc-heap-1K
expect 1 "upc: -fupc-heap wants a size *"
UPC_THREADS=2 UPC_SHARED_HEAP_SIZE=64K run "$program"
expect 0
SAY_PROCESSORS=1 run "$program" -bind-threads -n "$(nproc)"
[ "$(grep -c ' one processor$' out)" = "$(nproc)" ] || fail "not bound: $(cat out)"
SAY_CONSTRUCTED=1 run "$program" -n 2
[ "$(grep -c '^constructed$' out)" = 2 ] || fail "constructors: $(cat out)"
env -i PATH="$PATH" timeout "${HEDDLE_TEST_SECONDS:-240}" "$program" -n 2 >out </dev/null || fail "an empty environment"
threads 2 'end ' nothing
cp "$program" 'a program'
ran='./a program' && timeout "${HEDDLE_TEST_SECONDS:-240}" './a program' -n 2 >out </dev/null || fail "a name with a blank"
ln -s "$program" link && (PATH=.:$PATH && exec timeout "${HEDDLE_TEST_SECONDS:-240}" link -n 2 >out </dev/null) || fail "found in PATH, by a link"
threads 2 'end ' nothing

# Limits, and closed standard files.
(sanitized || ulimit -v 4000000; exec timeout "${HEDDLE_TEST_SECONDS:-240}" "$program" -n 3 >out </dev/null) || fail "little address space"
threads 3 'end ' nothing
(ulimit -f 100000 && exec timeout "${HEDDLE_TEST_SECONDS:-240}" "$program" -n 3 >out </dev/null) || fail "small files"
threads 3 'end ' nothing
timeout "${HEDDLE_TEST_SECONDS:-240}" "$program" -n 3 >out <&- || fail "no input"
[ "$(grep -c 'input=nothing ' out)" = 3 ] || fail "no input: $(cat out)"
timeout "${HEDDLE_TEST_SECONDS:-240}" "$program" -n 3 <&- >&- 2>&- || fail "no standard file at all"

for bad in '-n' '-n 0' '-n x' '-n 1025' '-n -1' '-n 2x'; do
	# shellcheck disable=SC2086 # words
	run "$program" $bad
	expect 1 'upc: -n wants a number of threads from 1 to 1024, not *'
done
for bad in 1 1K 17G 20T x 5.5M ''; do
	run "$program" -shared-heap "$bad"
	expect 1 "upc: -shared-heap wants a size of each thread's shared memory from 64K to 16G, as in 512M, not '$bad'"
done
UPC_THREADS=many run "$program"
expect 1 "upc: UPC_THREADS wants a number of threads from 1 to 1024, not 'many'"

# A number of threads that was compiled in.
run "$fixed"
expect 6
run "$fixed" -n 2
expect 6
run "$fixed" -n 3
expect 1 'upc: this program was compiled for 2 threads and cannot run with 3; compile it again, or leave the number out'
UPC_THREADS=4 run "$fixed"
expect 1 'upc: this program was compiled for 2 threads and cannot run with 4; *'
run "$fixed" -n 2 wait
expect 6 'upc: thread 0: program.upc:33: upc_lock waits for thread 1, which has ended with status 6'
finish
