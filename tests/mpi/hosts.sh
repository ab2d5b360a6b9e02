#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Ranks in two network namespaces, which exchange messages over a pair of virtual interfaces, with clocks that are
# seconds apart and drift by 100 ppm: like mpi_clocks, but with a real network and the launcher's agent.
# shellcheck disable=SC2317 # functions are called by expect
. "$HEDDLE_SOURCE/tests/mpi/clocks_lib.sh"
# shellcheck source=tests/upc/hosts/two_hosts.sh
. "$HEDDLE_SOURCE/tests/upc/hosts/two_hosts.sh"
missing=$(hosts_missing)
[ -z "$missing" ] || skip "two hosts: $missing"
trap 'hosts_remove; cleanup' EXIT
hosts_make "$work"
# UCX would use shared memory across network namespaces. Open MPI's windows without UCX need such memory.
export UCX_TLS=tcp,self
export hosts_prefix hosts_network hosts_agent
export -f on_first_host on_hosts_mpich on_hosts_openmpi

# Records how much data the second host's network has transferred.
run_on_hosts() {
	local name=$1
	shift
	run_as "$name" -- bash -c '"on_hosts_$0" "$SKEW_RANKS" "$@"; status=$?
		ip netns exec "$hosts_prefix.2" grep : /proc/net/dev > network; exit $status' \
		"$mpi" env LD_PRELOAD="$work/skew.so" "$@"
}

# MPICH's ranks over TCP may hang in MPI_Finalize, measured or not, often if more than two. Two are then tried again.
on_machines() {
	local name=$1 seconds=$seconds try
	export SKEW=$2 SKEW_RANKS=$(($3 / 2))
	shift 3
	[ "$mpi" = openmpi ] || seconds=$((seconds / 2))
	for try in 1 2 3; do
		run_on_hosts "$name" "$@"
		[ "$mpi" = mpich ] && [ "$try" -lt 3 ] && [ "$(outcome "$name")" = hang ] && grep -q ': right$' "$name.out" || break
		echo "$name: hangs in MPI_Finalize, and is tried again"
		rm -rf "$name.heddle.d"
		hosts_remove
		hosts_make "$work"
	done
}

hosts() {
	local ranks=4
	[ "$mpi" = openmpi ] || ranks=2
	compile_mpi clocks clocks.c
	try "$mpi" "0:0 $((seconds / 48)):100" "$ranks" # a message takes less than the difference of the clocks
	bytes=$(awk '$1 ~ /^v/ { print $2 }' network)
	expect "$mpi: messages went over the network: $bytes bytes" test "$bytes" -gt $((40 * rounds))
	expect "$mpi: two hosts" sh -c "'$heddle' report --threads '$mpi.heddle.d' | grep -q ' on host1'"
	hosts_remove
	hosts_make "$work"
}
for_each_mpi hosts
finish
