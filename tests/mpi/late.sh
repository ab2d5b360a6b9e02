#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Who waited for whom, from traces: at barriers and collectives of all ranks, and of some, and for messages. The trace is the profile's.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0

# waited NAME LINE RANK: milliseconds that ranks waited for that one at that line's call.
waited() {
	local line
	line=$(grep -n "$2" "$HEDDLE_SOURCE/tests/mpi/late.c" | cut -d: -f1)
	"$heddle" report --late --min 0 "$1.heddle.d" | awk -v line="late.c:$line\$" -v rank="MPI $3( in |\$)" '
		/ MPI_[A-Z]/ && !/ for / { here = $0 ~ line }
		here && $0 ~ rank && / for / { ms = $1; ms *= $2 == "s" ? 1000 : $2 == "us" ? 0.001 : $2 == "ns" ? 0.000001 : 1; sum += ms }
		END { print sum + 0 }'
}

late() {
	compile_mpi late late.c
	run_options=(--trace)
	ranks "$mpi" 4 ./late
	expect "$mpi: ends well" ended "$mpi" "exit 0"
	expect "$mpi: the trace is the profile's" "$heddle" info --check-trace "$mpi.heddle.d"
	# A busy machine makes others late, too, and the sleepers later.
	expect "$mpi: three wait for 1, three times" between 1600 "$(waited "$mpi" 'line: all' 1)" 4000
	expect "$mpi: one waits for 2, twice" between 350 "$(waited "$mpi" 'line: even' 2)" 1000
	expect "$mpi: nobody waits for 2 elsewhere" between 0 "$(waited "$mpi" 'line: all' 2)" 150
	expect "$mpi: three wait for 3" between 1000 "$(waited "$mpi" 'MPI_Allreduce' 3)" 3000
	expect "$mpi: one waits for messages, twice" between 350 "$(waited "$mpi" 'line: receive' 0)" 1000
	expect "$mpi: and for persistent ones" between 350 "$(waited "$mpi" 'line: wait' 0)" 1000
	expect "$mpi: one waits for a receiver" between 180 "$(waited "$mpi" 'line: ssend' 1)" 800
	expect "$mpi: and where it completes a send" between 180 "$(waited "$mpi" 'line: issend' 1)" 800
	expect "$mpi: three wait for the root" between 500 "$(waited "$mpi" 'line: broadcast' 1)" 1600
	expect "$mpi: the root waits for 2" between 180 "$(waited "$mpi" 'line: reduce' 2)" 800
	for kind in barrier n-to-n late-broadcast early-reduce late-sender late-receiver; do
		expect "$mpi: $kind" sh -c "'$heddle' export '$mpi.heddle.d' --format json | grep -q '\"kind\":\"$kind\"'"
	done
	expect "$mpi: exported" "$heddle" export "$mpi.heddle.d" --format otf2 -o "$mpi.otf2"
}
for_each_mpi late
finish
