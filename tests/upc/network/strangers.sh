#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A job continues when strangers connect to it; see strangers.c.
set -euo pipefail
export HEDDLE_UPC_NETWORK=$HEDDLE_BUILD/lib/libheddle-upc-ucx.so
export ASAN_OPTIONS=detect_leaks=0 # leaks of UCX, in children of fork
readonly strangers=$HEDDLE_BUILD/tests/upc_network/upc_network_strangers
if [[ ! -e $HEDDLE_UPC_NETWORK ]]; then
	echo "no network plug-in was built: it needs the package libucx-dev"
	exit 77
fi

# UCX listens at each interface; strangers on the same host reach all of them.
export UCX_TLS=tcp,self
timeout "${HEDDLE_TEST_SECONDS:-240}" "$strangers" attack 1 2000
UCX_NET_DEVICES=lo timeout "${HEDDLE_TEST_SECONDS:-240}" "$strangers" attack 2 1000
UCX_NET_DEVICES=lo timeout "${HEDDLE_TEST_SECONDS:-240}" "$strangers" impostor
