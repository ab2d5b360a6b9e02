#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The cost of one sample in Heddle's handler, by stack depth: the CPU time of a fixed amount of work at 10,000
# samples per second, minus that with an empty handler on the same timer, divided by the number of samples.
# Usage: bench/handler.sh [DEPTH...]   (default: 11 31 107)
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-15} rounds=${ROUNDS:-300000000}
[ $# -gt 0 ] || set -- 11 31 107
have "$heddle" heddle "./dev build" || exit 77
build deep deep.c
build empty_sampler.so empty_sampler.c -shared -fPIC

machine
printf '%6s %10s %12s %12s %12s %14s\n' depth samples 'bare s' 'empty s' 'heddle s' 'ns per sample'
for depth in "$@"; do
	: > "$work/results"
	for _ in $(seq "$repeats"); do
		"$work/deep" "$depth" "$rounds" | record bare
		SAMPLER_COUNT=1 SAMPLER_HZ=10000 LD_PRELOAD=$work/empty_sampler.so "$work/deep" "$depth" "$rounds" 2>&1 | record empty
		measure --sample-hz 10000 -- "$work/deep" "$depth" "$rounds" | record heddle
	done
	awk -v d="$depth" -v n="$(median empty/signals)" -v b="$(median bare/cpu_s)" -v e="$(median empty/cpu_s)" \
		-v h="$(median heddle/cpu_s)" 'BEGIN {
		printf "%6d %10d %12.4f %12.4f %12.4f %14.0f\n", d, n, b, e, h, (h - e) * 1e9 / n }'
done
