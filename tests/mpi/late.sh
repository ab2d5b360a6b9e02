#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Traces show which ranks waited for which: at barriers and collectives, and for messages. They agree with the profile.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0

# waited NAME LINE RANK: prints the milliseconds that others waited for RANK at the call in LINE.
waited() {
	local line
	line=$(grep -n "$2" "$HEDDLE_SOURCE/tests/mpi/late.c" | cut -d: -f1 | paste -sd'|')
	"$heddle" report --late --min 0 "$1.heddle.d" | awk -v line="late.c:($line)\$" -v rank="MPI $3( in |\$)" '
		/ MPI_[A-Z]/ && !/ for / { here = $0 ~ line }
		here && $0 ~ rank && / for / { ms = $1; ms *= $2 == "s" ? 1000 : $2 == "us" ? 0.001 : $2 == "ns" ? 0.000001 : 1; sum += ms }
		END { print sum + 0 }'
}

# most WHAT: prints the milliseconds that the program printed
most() { awk -v what="$1" '$1 == what { print $2 }' "$mpi.out"; }

# is_waiting MESSAGE WHAT LINE RANK MS: others waited as long as RANK slept, and no longer than the program printed,
# except for rounding.
is_waiting() {
	expect "$mpi: $1" between $(($5 * 99 / 100)) "$(waited "$mpi" "$3" "$4")" $((($(most "$2") + 1) * 101 / 100))
}

late() {
	compile_mpi late late.c -I"$HEDDLE_SOURCE"
	run_options=(--trace)
	ranks "$mpi" 4 ./late "$mpi.flags"
	expect "$mpi: ends well" ended "$mpi" "exit 0"
	expect "$mpi: the trace and the profile agree" "$heddle" info --check-trace "$mpi.heddle.d"
	is_waiting "three wait for 1, three times" all 'line: all' 1 450
	is_waiting "one waits for 2, twice" even 'line: even' 2 100
	expect "$mpi: nobody waits for 2 elsewhere" between 0 "$(waited "$mpi" 'line: all' 2)" 1
	is_waiting "three wait for 3" collective 'MPI_Allreduce' 3 300
	is_waiting "one waits for messages, twice" messages 'line: receive' 0 100
	is_waiting "and for persistent ones" persistent 'line: wait' 0 100
	! grep -q '^parts' "$mpi.out" || is_waiting "and for the last part" parts 'line: parts' 0 100
	is_waiting "one waits for a receiver" ssend 'line: ssend' 1 50
	is_waiting "and where it completes a send" issend 'line: issend' 1 50
	is_waiting "three wait for the root" broadcast 'line: broadcast' 1 150
	is_waiting "one waits for 3 at a fence" fence 'line: fence' 3 100
	is_waiting "one waits for a window to be posted" post 'line: start\|line: complete' 3 50
	is_waiting "two wait for the end of accesses" complete 'line: exposed' 2 100
	is_waiting "the root waits for 2" reduce 'line: reduce' 2 50
	is_waiting "three wait for 3 where a reduction ends" iallreduce 'line: going on' 3 150
	is_waiting "and for the root where a broadcast ends" ibcast 'line: goes on from the root' 1 150
	for kind in barrier n-to-n late-broadcast early-reduce late-sender late-receiver late-post late-complete; do
		expect "$mpi: $kind" sh -c "'$heddle' export '$mpi.heddle.d' --format json | grep -q '\"kind\":\"$kind\"'"
	done
	barriers=$(sum_of "$mpi" visits 'MPI_Barrier')
	expect "$mpi: exported" "$heddle" export "$mpi.heddle.d" --format otf2 -o "$mpi.otf2"
}

# Without a trace: a barrier before the collective, which each rank calls once.
synchronized() {
	compile_mpi late late.c -I"$HEDDLE_SOURCE"
	run_options=(--mpi-sync)
	ranks "$mpi" 4 ./late "$mpi.more-flags"
	expect "$mpi: ends well" ended "$mpi" "exit 0"
	own=$(sum_of "$mpi" message-wait 'MPI_Allreduce' 3)
	expect "$mpi: 3 waits no longer than its call takes" between 0 "$own" "$(most own)000000"
	expect "$mpi: three waited for 3" between 297000000 $(($(sum_of "$mpi" message-wait 'MPI_Allreduce') - own)) \
		$((($(most collective) + 1) * 1000000))
	expect "$mpi: calls are those of the program" test "$(sum_of "$mpi" visits 'MPI_Barrier')" = "$barriers"
	expect "$mpi: info reports the synchronization" sh -c "'$heddle' info '$mpi.heddle.d' | grep -q 'a barrier preceded each MPI collective'"
}
late_and_synchronized() {
	late
	synchronized
}
for_each_mpi late_and_synchronized
finish
