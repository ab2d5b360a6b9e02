#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The cost of `heddle run --accesses`: nanoseconds of an access in shared memory, with 4 threads; and what it adds to
# the example cc over the network with 4 ranks (Open MPI's or MPICH's mpirun). The latter is measured in two ways: by
# pairs of runs, one after the other, elapsed and CPU time; and, as a bound, by the accesses of the busiest thread times
# the nanoseconds of one. Each rank is bound to a processor, as by a launcher with a processor for each: if not, the
# time of four ranks on two processors varies by 15 % from run to run, depending on which ranks share one.
# Usage: bench/accesses.sh [VERTICES]   default: 2000; PAIRS: default 15; BIND=no: ranks are not bound
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-5}
have "$heddle" heddle "./dev build" || exit 77
"$heddle" upcc -O2 -g --inst "$here/accesses.upc" -o "$work/accesses" || exit 77
"$heddle" upcc -O2 -g --inst "$here/../examples/cc.upc" -o "$work/cc"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

run() {
	case $1 in
	events) measure --sample-hz 0 -n 4 -- "$work/accesses" ;;
	events_accesses) measure --sample-hz 0 --accesses -n 4 -- "$work/accesses" ;;
	on_1kHz) measure --sample-hz 1000 -n 4 -- "$work/accesses" ;;
	on_1kHz_accesses) measure --sample-hz 1000 --accesses -n 4 -- "$work/accesses" ;;
	esac
	rm -rf "$work"/measured.*
}

# over_network KEY SIZE PROGRAM [OPTION...]: elapsed and CPU milliseconds of cc, with options under heddle run
over_network() {
	local key=$1 size=$2 program=$3 start=${EPOCHREALTIME/./} under=()
	shift 3
	[ $# -eq 0 ] || under=("$heddle" run "$@" -o "$work/network" --)
	rm -rf "$work/network"
	TIMEFORMAT='%U %S'
	{
		time UPC_NODE_SIZE=1 UCX_TLS=tcp,self LD_LIBRARY_PATH=$HEDDLE_BUILD/lib timeout 300 \
			mpirun ${oversubscribe:+"$oversubscribe"} -np 4 "${bound[@]}" "${under[@]}" "$program" "$size" > /dev/null 2>&1
	} 2> "$work/times" || return
	awk -v key="$key" -v us=$((${EPOCHREALTIME/./} - start)) \
		'{ print "elapsed/" key, us / 1000; print "CPU/" key, 1000 * ($1 + $2) }' "$work/times" >> "$work/results"
}

# values KEY: prints the values in the order of runs
values() { awk -v key="$1" '$1 == key { print $2 }' "$work/results"; }

# added WHAT KEY: prints the median of the differences of pairs, and its confidence interval of at least 95 % by order
# statistics. The time of a run with one vertex is subtracted from each run: start and end are not accesses' cost.
added() {
	paste -d' ' <(values "$1/bare") <(values "$1/$2") <(values "$1/bare_start") <(values "$1/$2_start") |
		awk '$1 > $3 { print 100 * (($2 - $4) / ($1 - $3) - 1) }' | sort -g | awk -v what="$1" -v key="$2" '{ v[NR] = $1 } END {
			low = int(NR / 2 - 0.98 * sqrt(NR)); low = low < 1 ? 1 : low
			printf "%-8s %-26s %+8.1f %% %+8.1f to %+.1f %%\n", what, key, v[int((NR + 1) / 2)], v[low], v[NR + 1 - low] }'
}

machine
echo "$repeats repeats each"
: > "$work/results"
variants=(events events_accesses on_1kHz on_1kHz_accesses)
for _ in $(seq "$repeats"); do
	for variant in "${variants[@]}"; do
		run "$variant" | record "$variant"
	done
done
for key in array four_arrays others_memory; do
	table "$key" ns "${variants[@]}"
done
have mpirun "the network" "openmpi-bin or mpich" || exit 0
have "$HEDDLE_BUILD/lib/libheddle-upc-ucx.so" "the network" "libucx-dev" || exit 0
oversubscribe=
mpirun --version 2> /dev/null | grep -q 'Open MPI' && oversubscribe=--oversubscribe
"$heddle" upcc -O2 "$here/../examples/cc.upc" -o "$work/bare"
pairs=${PAIRS:-15} vertices=${1:-2000} bound=()
# shellcheck disable=SC2016 # expanded in the process that mpirun starts, which has the rank
[ "${BIND:-}" = no ] || ! have taskset "binding" "util-linux" ||
	bound=(bash -c 'exec taskset -c $((${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}} % $1)) "${@:2}"' bound "$(nproc)")
for _ in $(seq "$pairs"); do
	for size in 1 "$vertices"; do
		suffix=$([ "$size" -gt 1 ] || echo _start)
		over_network "bare$suffix" "$size" "$work/bare"
		over_network "accesses$suffix" "$size" "$work/cc" --sample-hz 0 --accesses
		over_network "accesses_and_samples$suffix" "$size" "$work/cc" --accesses
	done
done
printf 'start and end: %.0f ms bare, %.0f ms measured\n' "$(median elapsed/bare_start)" "$(median elapsed/accesses_start)"
printf '\n%-8s %-26s %10s %s\n' "cc $vertices" "added, $pairs pairs" median "95 % interval"
for what in elapsed CPU; do
	for key in accesses accesses_and_samples; do
		added $what $key
	done
done
"$heddle" report --by thread "$work/network" | awk -v elapsed="$(median elapsed/bare)" \
	-v ns="$(awk -v a="$(median events_accesses/array)" -v b="$(median events_accesses/four_arrays)" 'BEGIN { print (a > b ? a : b) }')" '
	/  UPC [0-9]+$/ { n = $1; gsub(",", "", n); most = n + 0 > most ? n + 0 : most }
	END { printf "bound: %d accesses of the busiest thread x %.0f ns with their events = %.2f %% of %.0f ms; ten times that, with memory that went out of caches: %.1f %%\n",
		most, ns, most * ns / elapsed / 1e4, elapsed, most * ns / elapsed / 1e3 }'
