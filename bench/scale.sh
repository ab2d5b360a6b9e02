#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The cost of `heddle scale`: 100 generated measurements of 50,000 paths at ten scales; seconds and memory. Usage:
# bench/scale.sh [RUNS] [PATHS]
. "${BASH_SOURCE%/*}/lib.sh"
runs=${1:-100} paths=${2:-50000}
have "$HEDDLE_BUILD/bin/bench_big_measurement" bench_big_measurement "./dev build" || exit 77
for i in $(seq "$runs"); do
	"$HEDDLE_BUILD/bin/bench_big_measurement" "$work/run$i" $((1 + (i - 1) % 10)) "$paths" 1 0 > /dev/null
done
machine
/usr/bin/time -f "%e s, %M KB" "$heddle" scale --no-color "$work"/run* > "$work/out"
head -n 3 "$work/out"
