#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Wrong programs on several nodes end within 5 s, with one line with the place and the error, and a nonzero status; so
# do programs of which a rank is killed. No process is left running.
set -u
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
need_network
"$HEDDLE_BUILD/bin/heddle" upcc -O2 -g "$here/library/ends.upc" -o "$work/ends" || exit 1
cat > "$work/waits.upc" << 'TEXT'
#include <stdio.h>
#include <unistd.h>
#include <upc.h>
int main(void)
{
	upc_barrier;
	printf("thread %d\n", MYTHREAD);
	fflush(stdout);
	if (MYTHREAD == 0)
		sleep(60);
	upc_barrier;
	return 0;
}
TEXT
"$HEDDLE_BUILD/bin/heddle" upcc -O2 "$work/waits.upc" -o "$work/waits" || exit 1
export UPC_NODE_SIZE=1 UCX_TLS=tcp,self

fail() {
	echo "FAILED: $*"
	touch "$work/failed"
}

# said PATTERN WHAT: the only line of the run-time system in $output matches
said() {
	[ "$(grep -c '^upc:' "$output")" = 1 ] || fail "$2: not one line: $(cat "$output")"
	grep -q "^upc: thread [0-9]*: .*$1" "$output" || fail "$2: not '$1': $(cat "$output")"
}

# dies LAUNCHER HOW PATTERN [WHO]: in the background, eight at once, as Open MPI waits for two seconds before it ends
cases=0
dies() {
	while [ "$(jobs -rp | wc -l)" -ge 8 ]; do
		wait -n
	done
	cases=$((cases + 1))
	dies_now "$@" &
}

dies_now() {
	local start=$SECONDS status output=$work/output.$cases
	timeout "$seconds" bash -c "$(declare -f launch); launch \"\$@\"" - "$1" 3 "$work/ends" -shared-heap 32M "$2" ${4:+"$4"} > "$output" 2>&1 < /dev/null
	status=$?
	[ $status = 1 ] || fail "$2 by $1: status $status"
	said "$3" "$2 by $1"
	[ $((SECONDS - start)) -le $((seconds / 8)) ] || fail "$2 by $1: took $((SECONDS - start)) s"
}

# Counts the processes of the program, by its name, which only this run uses.
living() { pgrep -f "^$work/waits" | wc -l; }

# shellcheck disable=SC2317 # wait_until calls them
all_run() { [ "$(grep -c '^thread [0-3]' "$work/output")" = 4 ]; }
# shellcheck disable=SC2317
none_lives() { [ "$(living)" = 0 ]; }

killed() {
	: > "$work/output"
	launch "$1" 4 "$work/waits" > "$work/output" 2>&1 < /dev/null &
	local launched=$!
	wait_until all_run || fail "killed by $1: it does not start: $(cat "$work/output")"
	pkill -KILL -n -f "^$work/waits"
	wait $launched && fail "killed by $1: status 0"
	wait_until none_lives || fail "killed by $1: $(living) processes are left"
}

for launcher in "${found[@]}"; do
	dies "$launcher" read 'ends.upc:[0-9]*: access through a null pointer-to-shared'
	dies "$launcher" memput 'ends.upc:[0-9]*: upc_memput out of range'
	dies "$launcher" 'free twice global' 'ends.upc:[0-9]*: upc_free of a pointer that is not from an allocation function'
	dies "$launcher" relock 'ends.upc:[0-9]*: upc_lock of a lock that this thread holds already'
	dies "$launcher" unlock 'ends.upc:[0-9]*: upc_unlock of a lock that this thread does not hold'
	dies "$launcher" free 'ends.upc:[0-9]*: upc_free of a pointer that is not from an allocation function'
	dies "$launcher" 'wait value' 'ends.upc:[0-9]*: upc_wait with the value 5'
	dies "$launcher" 'other wait value' 'ends.upc:[0-9]*: upc_wait with the value 5, but the upc_notify of thread 0 had 4'
	for who in 0 1 2; do
		dies "$launcher" 'late collective' 'upc_.*, but thread [0-9]* has come to upc_' $who
	done
	# One thread calls another function, and so waits for a thread that waits for it. As the root (0), it waits for
	# none, and the barrier reports the error.
	for who in 1 2; do
		dies "$launcher" functions 'upc_.*, but thread [0-9]* has come to upc_' $who
	done
	for who in 0 1; do
		dies "$launcher" moves 'upc_barrier, but thread [0-9]* .*has called other collective functions' $who
	done
	dies "$launcher" functions 'upc_barrier, but thread [0-9]* .*has called other collective functions' 0
	# All threads fail at once: one of them prints the message.
	dies "$launcher" roots 'upc_all_reduce with other arguments than thread [0-9]*'
	dies "$launcher" 'atomic operation' 'ends.upc:[0-9]*: upc_atomic_relaxed: the domain was not created for this operation'
	dies "$launcher" reduction 'ends.upc:[0-9]*: upc_all_reduceD: operation 4 is not defined for this type'
	dies "$launcher" nulls 'ends.upc:[0-9]*: access through a null pointer-to-shared'
	dies "$launcher" return 'upc_.* waits for thread [0-9]*, which has ended with status 0'
	wait
	killed "$launcher"
done
[ ! -e "$work/failed" ]
