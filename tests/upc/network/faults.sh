#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each system call by which a rank communicates with others or with its launcher fails once: the job behaves as without
# the failure, or ends with one line and an error status. No rank crashes or waits forever.
set -u
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
faults=$HEDDLE_BUILD/tests/upc_network/faults
[ -e "$faults/libheddle-upc-ucx.so" ] || { echo "skipped: the network was not built (libucx-dev)"; exit 77; }
command -v mpirun.mpich > /dev/null || { echo "skipped: mpirun.mpich, whose launcher speaks PMI-1, is not installed"; exit 77; }
export UPC_NODE_SIZE=1 UCX_TLS=tcp,self
limit=$((seconds / 4))
checks=0

"$upcc" -O1 --tool-library="$faults/libheddle.so" -o "$work/faulted" "$here/network/faulted.upc" \
	-Wl,--whole-archive "$faults/libheddle_upc_job_faults.a" -Wl,--no-whole-archive \
	-Wl,--wrap={mmap,open,read,send,recv,poll} || exit 1

# job RANK NAME=VALUE: runs two ranks, of which RANK has the variable; their output is in $output
job() {
	HEDDLE_FAULT_RANK=$1 timeout "$limit" env "$2" mpirun.mpich -n 2 "$work/faulted" > "$output" 2>&1 < /dev/null
}

fail() {
	echo "FAILED: $*"
	head -n 10 "$output"
	: > "$work/failed"
}

# by_launcher RANK CALL NUMBER STATUS: the launcher ends the job, with its own messages: a rank has closed its socket
# before it has sent its first two commands (rank 0 reports this for all), or after its work is done.
by_launcher() {
	[ "${2#job_}" != "$2" ] || return
	[ "$1 $3" = "1 1" ] || [ "$1 $3" = "1 2" ] || [ "$4" = 141 ] || grep -Eq '^\[(proxy|mpiexec)|^right$' "$output"
}
# launcher_succeeds CALL: MPICH 4.2's launcher may return 0 although a rank that lost it ended with a line and status 1.
launcher_succeeds() { [ "${1#job_}" != "$1" ] && [ "$(lines)" = 1 ]; }
# UCX aborts a process when a connection breaks while it is being established.
by_ucx() { grep -Eq '_(ep|cm)\.c:[0-9]+ +Assertion ' "$output"; }
# Counts the job's lines. When two threads lose each other, they cannot agree on which one reports it: the higher one
# waits for the lower one to end the job, for an unknown time. So their two lines count as one.
lines() { sed -En 's/^upc: thread [01]: lost thread .*/upc: lost/; /^upc: /p' "$output" | sort -u | wc -l; }

# fault RANK CALL NUMBER
fault() {
	local output=$work/output-$1-$2-$3 name="rank $1, $2 $3" status limit=$limit hangs=no
	# A rank that has not introduced itself ends without the launcher's notice, which then waits for the other rank.
	[ "$2 $3" != "job_send 1" ] || { limit=$((seconds / 60)) hangs=yes; }
	job "$1" "HEDDLE_FAULT=$2:$3"
	status=$?
	if ! by_ucx; then
		grep -q '^wrong$' "$output" && fail "$name: wrong numbers"
		[ "$(lines)" -le 1 ] || fail "$name: more than a line"
		case $status in
		0) grep -q '^right$' "$output" || launcher_succeeds "$2" || fail "$name: it ends before its work is done" ;;
		124) [ $hangs = yes ] || fail "$name: it does not end" ;;
		*) [ "$(lines)" = 1 ] || by_launcher "$1" "$2" "$3" "$status" || fail "$name: status $status without a line" ;;
		esac
		grep -Eq 'EXIT CODE: (13[1-9]|6|8|11)$|signal (6|8|11) ' "$output" && fail "$name: it crashes"
	fi
	rm "$output"
}

output=$work/output
for rank in 0 1; do
	rm -f "$work/calls"
	job $rank "HEDDLE_FAULT_CALLS=$work/calls" || fail "without a fault: status $?"
	grep -q '^right$' "$work/output" || fail "without a fault: wrong numbers"
	mapfile -t calls < <(sort -u "$work/calls")
	for call in "${calls[@]}"; do
		count=$(grep -cx "$call" "$work/calls")
		echo "rank $rank: $call: $count calls"
		# The numbers of polls and of partial sends depend on the machine.
		for ((number = 1; number <= count && number <= 30; number++)); do
			checks=$((checks + 1))
			fault $rank "$call" $number &
			while [ "$(jobs -r | wc -l)" -ge 6 ]; do # they wait most of the time
				wait -n
			done
		done
	done
done
wait
echo "$checks faults"
[ "$checks" -gt 0 ] && [ ! -e "$work/failed" ]
