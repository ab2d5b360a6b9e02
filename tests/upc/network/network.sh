#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The network plug-in on UCX passes the cases of network_cases.c. UCX chooses the transport, then TCP is requested.
set -euo pipefail
export HEDDLE_UPC_NETWORK=$HEDDLE_BUILD/lib/libheddle-upc-ucx.so
readonly cases=$HEDDLE_BUILD/tests/upc_network/upc_network_cases
if [[ ! -e $HEDDLE_UPC_NETWORK ]]; then
	echo "no network plug-in was built: it needs the package libucx-dev"
	exit 77
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX")
trap 'rm -rf "$work"' EXIT

export ASAN_OPTIONS=detect_leaks=0 # leaks of UCX, in children of fork

# run CASE RANKS: only the case itself prints anything.
run() {
	local status=0

	timeout "${HEDDLE_TEST_SECONDS:-240}" "$cases" "$@" >"$work/printed" 2>&1 || status=$?
	cat "$work/printed"
	if [[ $status -ne 0 ]] || grep -qv '^rank [0-9]*: ' "$work/printed"; then
		echo "case $* failed (UCX_TLS=${UCX_TLS:-}), status $status"
		exit 1
	fi
}

for tls in "" tcp,self; do
	unset UCX_TLS
	if [[ $tls ]]; then
		export UCX_TLS=$tls
	fi
	for name in answers bound bulk busy_at_close fence forks handlers killed killed_bulk killed_early late messages order overlap sent_as_puts signals sizes; do
		run "$name" 2
	done
	run killed 4
	run bulk 3
	run killed_bulk 3
	run killed_early 3
	run messages 4
	run threads 3
	run fence 4
done
run mixed 3
run idle 3
run computing 2
for _ in $(seq 1 17); do
	run nothing 2
	run nothing 3
	run nothing 4
done
