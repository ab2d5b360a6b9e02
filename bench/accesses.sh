#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The cost of `heddle run --accesses`: nanoseconds of an access in shared memory, with 4 threads, and the elapsed time of
# the example cc over the network with 4 ranks (Open MPI's or MPICH's mpirun). Usage: bench/accesses.sh
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

# over_network [OPTION...]: milliseconds of cc
over_network() {
	local start=${EPOCHREALTIME/./}
	UPC_NODE_SIZE=1 UCX_TLS=tcp,self LD_LIBRARY_PATH=$HEDDLE_BUILD/lib timeout 300 \
		mpirun ${oversubscribe:+"$oversubscribe"} -np 4 "$heddle" run "$@" -o "$work/network.$RANDOM$RANDOM" -- \
		"$work/cc" 2000 8000 > /dev/null 2>&1 || return
	echo "elapsed $(((${EPOCHREALTIME/./} - start) / 1000))"
	rm -rf "$work"/network.*
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
for _ in $(seq "$repeats"); do
	over_network --sample-hz 0 | record network
	over_network --sample-hz 0 --accesses | record network_accesses
done
table elapsed ms network network_accesses
