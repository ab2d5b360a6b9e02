#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The UPC examples, original and changed by heddle tune: elapsed time of 4 UPC threads, over TCP with a node for each
# rank, and in shared memory. `start` is the time of a run that does nothing; it is subtracted for the last ratio, in
# which at least 0.02 s remain.
# Usage: bench/upc_cache.sh [large]   large: also cc with ten times the graph, a minute a run; REPEATS: default 5
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-5} ranks=4
have "$heddle" heddle "./dev build" || exit 77
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
names=(cc stencil sparse histogram dot)

# loops FUNCTION...: prints, for heddle tune, the first upc_forall of each function of the example
loops() {
	local function
	for function in "$@"; do
		printf -- '--loop %s.upc:%s ' "$name" "$(awk -v begin="^static .*[ *]$function\\\\(" \
			'$0 ~ begin { on = 1 } on && /upc_forall/ { print NR; exit }' "$here/../examples/$name.upc")"
	done
}

for name in "${names[@]}"; do
	case $name in
	cc) how="$(loops graft climb) --variable label,above --policy arbitrary" ;;
	stencil) how="$(loops relax) --variable now --no-alias" ;;
	sparse) how="$(loops multiply) --variable x" ;;
	histogram) how="$(loops add look_up) --variable part,bin" ;;
	*) how="$(loops multiply) --variable y" ;;
	esac
	# shellcheck disable=SC2086
	"$heddle" tune "$here/../examples/$name.upc" $how -o "$work/${name}_tuned.upc" 2> "$work/stderr" || { cat "$work/stderr" >&2; exit 1; }
	"$heddle" upcc -O2 -o "$work/$name" "$here/../examples/$name.upc" -lm
	"$heddle" upcc -O2 -o "$work/${name}_tuned" "$work/${name}_tuned.upc" -lm
done

over_network() {
	UPC_NODE_SIZE=1 UCX_TLS=tcp,self mpirun.openmpi --oversubscribe -np $ranks "$@"
}

in_memory() {
	"$1" -n $ranks "${@:2}"
}

# timed KEY COMMAND...: records elapsed seconds
timed() {
	local key=$1 start=$EPOCHREALTIME
	shift
	"$@" > "$work/output" 2> "$work/stderr" || { cat "$work/stderr" >&2; exit 1; }
	awk -v key="$key" -v start="$start" -v end="$EPOCHREALTIME" 'BEGIN { print key, end - start }' >> "$work/results"
}

# compare WHAT WAY NAME REPEATS ARGUMENTS...: prints a line of the table
compare() {
	local what=$1 way=$2 name=$3 times=$4
	shift 4
	: > "$work/results"
	for _ in $(seq "$times"); do
		timed start "$way" "$work/dot_tuned" 1
		timed original "$way" "$work/$name" "$@"
		timed tuned "$way" "$work/${name}_tuned" "$@"
	done
	awk -v what="$what" -v start="$(median start)" -v a="$(median original)" -v b="$(median tuned)" -v least_a="$(quantile original 0)" \
		-v least_b="$(quantile tuned 0)" 'BEGIN {
			left = b - start > 0.02 ? b - start : 0.02
			printf "%-34s %8.3f %10.3f %8.3f %8.2f %8.2f %10.1f\n", what, start, a, b, a / b, least_a / least_b, (a - start) / left }'
}

machine
printf '%-34s %8s %10s %8s %8s %8s %10s\n' "4 UPC threads, median s of $repeats" start original tuned ratio least "no start"
if have mpirun.openmpi "Open MPI" "Debian: openmpi-bin" && have "$HEDDLE_BUILD/lib/libheddle-upc-ucx.so" "the network plug-in" "Debian: libucx-dev, then ./dev build"; then
	compare 'TCP: cc 10000 40000' over_network cc "$repeats" 10000 40000
	[ "${1:-}" != large ] || compare 'TCP: cc 100000 400000, once' over_network cc 1 100000 400000
	compare 'TCP: stencil 5 500' over_network stencil "$repeats" 5 500
	compare 'TCP: sparse 5000 2' over_network sparse "$repeats" 5000 2
	compare 'TCP: histogram 100000' over_network histogram "$repeats" 100000
	compare 'TCP: dot 100000' over_network dot "$repeats" 100000
fi
compare 'memory: cc 300000 1200000' in_memory cc "$repeats" 300000 1200000
compare 'memory: stencil 100 500' in_memory stencil "$repeats" 100 500
compare 'memory: sparse 200000 10' in_memory sparse "$repeats" 200000 10
compare 'memory: histogram 3000000' in_memory histogram "$repeats" 3000000
compare 'memory: dot 3000000' in_memory dot "$repeats" 3000000
