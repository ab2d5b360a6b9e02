#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Sixty thousand messages of faulty threads destroy nothing; see fuzz_wire.c.
set -euo pipefail
export ASAN_OPTIONS=detect_leaks=0 # early messages are not freed
for seed in 1 2 3; do
	timeout "${HEDDLE_TEST_SECONDS:-240}" "$HEDDLE_BUILD/tests/upc_network/upc_fuzz_wire" $seed 20000
done
