#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The times that `heddle advise` predicts for the loops of five examples, compared with their times with a cache: four
# ranks, each a separate node, over TCP. In each repeat the network is measured, and right after that the tuned loops,
# by the median of three runs. Prints medians of all repeats, the quartiles of both, and predicted divided by measured.
# If ranks share processors, a loop's time besides its accesses includes time in which others ran; then the prediction
# is an upper limit.
# Usage: bench/upc_predicted.sh; REPEATS: default 5
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-5}
have "$heddle" heddle "./dev build" || exit 77
have mpirun.openmpi "Open MPI" "Debian: openmpi-bin" || exit 77
have "$HEDDLE_BUILD/lib/libheddle-upc-ucx.so" "the network plug-in" "Debian: libucx-dev, then ./dev build" || exit 77
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 UPC_NODE_SIZE=1 UCX_TLS=tcp,self
declare -A arguments=([cc]="10000 40000" [stencil]="5 500" [sparse]="5000 2" [histogram]=100000 [dot]=100000)
source=$(cd "$here/.." && pwd)
cd "$work"

on_ranks() { mpirun.openmpi --oversubscribe --bind-to none -np 4 "$@" > log 2>&1 || { cat log >&2; exit 1; }; }

# milliseconds: adds up the times in the lines, such as "1.2 s" or "3 ms"
milliseconds() {
	awk '{ sum += $1 * ($2 == "s" ? 1000 : $2 == "us" ? 0.001 : $2 == "ns" ? 0.000001 : 1) } END { print sum + 0 }'
}

# tuned_once NAME: prints the time of the loops, by phases alone, as the prediction includes no events
tuned_once() {
	rm -rf tuned
	# shellcheck disable=SC2086 # words
	on_ranks "$heddle" run --sample-hz 0 -o tuned -- "./$1-tuned" ${arguments[$1]}
	"$heddle" report --metric wall-time --min 0 tuned |
		sed -n 's/^ *[0-9.]* *[0-9.]* *\([0-9.]* [a-z]*\) .* phase loop$/\1/p' | milliseconds
}

# attempt NAME: a prediction, without the extra time of a program's first loop; and the median of three runs
attempt() {
	local name=$1
	"$heddle" advise --network network "$name" > out
	sed -n 's/^.*: the loop takes .* would take about \([0-9.]* [a-z]*\).*/\1/p' out |
		milliseconds | sed 's/^/predicted /' | record "$name"
	for _ in 1 2 3; do
		tuned_once "$name"
	done | sort -g | sed -n '2s/^/measured /p' | record "$name"
}

# For cc, only the variable label is advised; the tuned example also caches another variable.
for name in "${!arguments[@]}"; do
	sed -E 's/heddle_cache_set\(above_cache, (\w+), int, (\w+)\);/above[\1] = \2;/; /above_cache/d' \
		"$source/tests/upc/cache/tuned/${name}_tuned.upc" > "${name}_tuned.upc"
	"$heddle" upcc -O2 -g --inst -o "$name-original" "$source/examples/$name.upc" -lm
	"$heddle" upcc -O2 -g -include "$here/upc_predicted.h" -o "$name-tuned" "${name}_tuned.upc" -lm
	# shellcheck disable=SC2086
	on_ranks "$heddle" run --accesses --sample-hz 0 -o "$name" -- "./$name-original" ${arguments[$name]}
done
for _ in $(seq "$repeats"); do
	rm -f network
	on_ranks "$heddle" doctor --network -o network
	for name in "${!arguments[@]}"; do
		attempt "$name"
	done
done

machine
printf '%-12s %12s %18s %12s %18s %8s\n' "ms" predicted quartiles measured quartiles ratio
for name in "${!arguments[@]}"; do
	for what in predicted measured; do
		printf '%s %s %s ' "$(median "$name/$what")" "$(quantile "$name/$what" 0.25)" "$(quantile "$name/$what" 0.75)"
	done | awk -v name="$name" '{ printf "%-12s %12.1f %8.1f, %8.1f %12.1f %8.1f, %8.1f %8.2f\n", name, $1, $2, $3, $4, $5, $6, $1 / $4 }'
done
