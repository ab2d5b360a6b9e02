#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Time of `heddle report` on a measurement of 1,000 threads x 50,000 nodes, and the memory it needs.
# Usage: bench/report_scale.sh [THREADS [NODES]]
. "${BASH_SOURCE%/*}/lib.sh"
threads=${1:-1000} nodes=${2:-50000}
generator=$(find "$HEDDLE_BUILD" -name bench_big_measurement -type f -perm -u+x -print -quit 2> /dev/null || true)
have "${generator:-bench_big_measurement}" "the generator" "./dev build" || exit 77

machine
"$generator" "$work/big" "$threads" "$nodes"
du -sh "$work/big" | cut -f1 | sed 's/^/size on disk: /'
for arguments in "report" "report --flat" "report --threads" "export --format folded"; do
	read -ra words <<< "$arguments"
	start=$(date +%s.%N)
	"$heddle" "${words[0]}" "$work/big" "${words[@]:1}" > /dev/null
	awk -v a="$start" -v b="$(date +%s.%N)" -v what="heddle $arguments" 'BEGIN { printf "%-32s %6.2f s\n", what, b - a }'
done
