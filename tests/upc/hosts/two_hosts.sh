# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Two "hosts" on one machine: network namespaces with a pair of virtual interfaces. A launcher reaches the second one
# through an agent that replaces ssh. Needs root. Sourced by tests.
#   hosts_make DIRECTORY   makes the hosts; hosts_remove removes them
#   hosts_clock=SECONDS    exported: CLOCK_MONOTONIC of the second host is that much ahead
#   on_hosts_openmpi N COMMAND...   runs N ranks on each host; on_hosts_mpich likewise
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
hosts_prefix=hd$$
hosts_network=10.$((64 + $$ % 64)).$(($$ / 64 % 256))

# shellcheck source=tests/support/patience.sh
. "$HEDDLE_SOURCE/tests/support/patience.sh"

# Prints why two hosts are not possible on this system; nothing if they are.
hosts_missing() {
	[ "$(id -u)" -eq 0 ] || { echo "needs root, to make network namespaces"; return; }
	command -v ip > /dev/null || { echo "needs ip (package iproute2)"; return; }
	ip netns add "$hosts_prefix.try" 2> /dev/null || { echo "no network namespaces can be made here"; return; }
	if ! ip -n "$hosts_prefix.try" link add t1 type veth peer name t2 2> /dev/null; then
		echo "no virtual interfaces can be made here"
	elif ! ip netns exec "$hosts_prefix.try" unshare --uts hostname try 2> /dev/null; then
		echo "no host names of their own can be given here"
	fi
	ip netns delete "$hosts_prefix.try"
}

# Prints why the second host cannot have a separate clock; nothing if it can.
hosts_clock_missing() {
	unshare --time --fork --kill-child --monotonic 5 true 2> /dev/null || echo "no time namespaces can be made here"
}

hosts_link_is_up() { ip -n "$1" link show dev "$2" | grep -q 'state UP'; }
hosts_make() {
	local host
	hosts_agent=$1/agent
	for host in 1 2; do
		ip netns add "$hosts_prefix.$host"
		ip -n "$hosts_prefix.$host" link set lo up
	done
	ip -n "$hosts_prefix.1" link add "v$$" type veth peer name "v$$" netns "$hosts_prefix.2"
	for host in 1 2; do
		ip -n "$hosts_prefix.$host" address add "$hosts_network.$host/24" dev "v$$"
		ip -n "$hosts_prefix.$host" link set "v$$" up
	done
	# The kernel takes up to a second until it reports the new interfaces as running.
	for host in 1 2; do
		wait_until hosts_link_is_up "$hosts_prefix.$host" "v$$"
	done
	# agent [OPTION]... HOST COMMAND...: runs COMMAND in the namespace of that address or name, with another host name.
	cat > "$hosts_agent" <<-TEXT
		#!/bin/bash
		while [[ \$1 == -* ]]; do shift; done
		host=\${1: -1}
		shift
		clock=(\${hosts_clock:+--time --fork --kill-child --monotonic "\$hosts_clock"})
		[ \$host = 2 ] || clock=()
		exec ip netns exec $hosts_prefix.\$host unshare --uts "\${clock[@]}" bash -c "hostname host\$host; \$*"
	TEXT
	chmod +x "$hosts_agent"
}

hosts_remove() {
	local host
	for host in 1 2; do
		ip netns pids "$hosts_prefix.$host" 2> /dev/null | xargs -r kill -KILL 2> /dev/null
		ip netns delete "$hosts_prefix.$host" 2> /dev/null || true
	done
}

on_first_host() { ip netns exec "$hosts_prefix.1" unshare --uts bash -c 'hostname host1; exec "$@"' - "$@"; }

on_hosts_openmpi() {
	local each=$1
	shift
	# Version 5 starts ranks by PRRTE, which has separate variables, knows hosts by their names, and would start all ranks
	# on the first host if that may be oversubscribed.
	PRTE_MCA_plm_ssh_agent=$hosts_agent PRTE_MCA_prte_if_include=$hosts_network.0/24 \
		PRTE_MCA_rmaps_default_mapping_policy=slot \
		on_first_host mpirun.openmpi -np $((2 * each)) --mca plm_rsh_agent "$hosts_agent" \
		--host "host1:$each,host2:$each" --mca oob_tcp_if_include "$hosts_network.0/24" \
		--mca btl_tcp_if_include "$hosts_network.0/24" "$@"
}

on_hosts_mpich() {
	local each=$1
	shift
	on_first_host mpirun.mpich -launcher ssh -launcher-exec "$hosts_agent" \
		-hosts "$hosts_network.1:$each,$hosts_network.2:$each" -np $((2 * each)) "$@"
}
