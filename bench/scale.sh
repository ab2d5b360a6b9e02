#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The cost of `heddle scale`: 100 generated measurements of 50,000 paths at ten scales. Fails beyond 10 s and 1 GB; on a
# busy machine its CPU time counts, which equals elapsed time on an idle one. Usage: bench/scale.sh [RUNS] [PATHS]
. "${BASH_SOURCE%/*}/lib.sh"
runs=${1:-100} paths=${2:-50000}
have "$HEDDLE_BUILD/bin/bench_big_measurement" bench_big_measurement "./dev build" || exit 77
for i in $(seq "$runs"); do
	"$HEDDLE_BUILD/bin/bench_big_measurement" "$work/run$i" $((1 + (i - 1) % 10)) "$paths" 1 0 > /dev/null
done
machine
for format in text json; do
	/usr/bin/time -o "$work/spent" -f "%e %U %S %M" \
		"$heddle" scale --no-color --format "$format" "$work"/run* > "$work/out.$format"
	awk -v format="$format" '{
		printf "%s: %.2f s elapsed, %.2f s of CPU time, %.0f MB\n", format, $1, $2 + $3, $4 / 1024
		exit ($1 > 10 && $2 + $3 > 10) || $4 > 1024 * 1024
	}' "$work/spent" || { echo "beyond 10 s and 1 GB"; exit 1; }
done
printf '%s paths\n' "$(grep -o '"first_ns"' "$work/out.json" | wc -l)"
head -n 3 "$work/out.text"
