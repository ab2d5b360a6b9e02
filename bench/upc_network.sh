#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# UPC over TCP on one host (UPC_NODE_SIZE=1) compared with MPI's one-sided communication, which polls: microseconds of
# an 8-byte get from an idle and from a computing thread, of 1,000 puts and a fence, and of a barrier; bandwidth.
# Usage: bench/upc_network.sh [OPERATIONS]   (default: 2000)
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-7} count=${1:-2000}
have "$heddle" heddle "./dev build" || exit 77
have mpirun.openmpi "Open MPI" "Debian: openmpi-bin libopenmpi-dev" || exit 77
have "$HEDDLE_BUILD/lib/libheddle-upc-ucx.so" "the network plug-in" "Debian: libucx-dev, then ./dev build" || exit 77
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

"$heddle" upcc -O2 -o "$work/upc" "$here/upc_network.upc"
launch=(mpirun.openmpi --oversubscribe -np 2)
over_mpi=(--mca pml ob1 --mca btl "tcp,self" --mca osc pt2pt --mca btl_tcp_if_include lo)
variants=(upc busy)
if have mpicc.openmpi "MPI's side" "Debian: libopenmpi-dev"; then
	mpicc.openmpi -O2 -o "$work/mpi" "$here/mpi_network.c"
	variants+=(mpi)
fi

# Runs a command while another program computes on every processor.
beside_others() {
	local others=() status=0
	for _ in $(seq "$(nproc)"); do
		while :; do :; done &
		others+=($!)
	done
	"$@" || status=$?
	kill "${others[@]}"
	return $status
}

run() {
	case $1 in
	busy) beside_others run upc ;;
	upc) UPC_NODE_SIZE=1 UCX_TLS=tcp,self UCX_NET_DEVICES=lo "${launch[@]}" "$work/upc" "$count" ;;
	mpi) "${launch[@]}" "${over_mpi[@]}" "$work/mpi" "$count" ;;
	esac
}

machine
: > "$work/results"
for _ in $(seq "$repeats"); do
	for variant in "${variants[@]}"; do
		run "$variant" 2> "$work/stderr" | record "$variant" || cat "$work/stderr" >&2
	done
done

# row NAME UNIT KEY BASE-KEY: prints a row with the ratio to MPI's value, or to another one of UPC's
row() {
	awk -v name="$1" -v unit="$2" -v m="$(median "$3")" -v b="$(median "$4")" \
		'BEGIN { printf "%-34s %10.1f %-5s %10.1f %8.2f\n", name, m, unit, b, b ? m / b : 0 }'
}
printf '%-34s %10s %-5s %10s %8s\n' "2 threads, $repeats repeats" UPC '' beside ratio
row '8-byte get, idle target' us upc/get_idle mpi/mpi_get
row '  99th percentile' us upc/get_idle_p99 mpi/mpi_get_p99
row '8-byte get, computing target' us upc/get_computing mpi/mpi_get
row '  99th percentile' us upc/get_computing_p99 mpi/mpi_get_p99
row '1,000 puts, fence / 1,000 gets' us upc/puts_and_fence upc/gets_one_by_one
row 'memget of 64 KiB' MB/s upc/get_64k mpi/mpi_get_64k
row 'memget of 4 MiB' MB/s upc/get_4m mpi/mpi_get_4m
row 'barrier' us upc/barrier mpi/mpi_barrier
row '8-byte get, busy / idle processors' us busy/get_idle upc/get_idle
row 'barrier, busy / idle processors' us busy/barrier upc/barrier
