#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The cost of MPI calls on one rank, in nanoseconds: bare, through wrappers that only pass on, measured, with samples.
# `request` is three calls: Irecv, Send, Wait; `clock` is two reads of the processor's clock, which each call except
# Comm_rank needs. Usage: bench/mpi.sh [mpich|openmpi]...
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-7}
have "$heddle" heddle "./dev build" || exit 77
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
wrappers=$HEDDLE_BUILD/lib/libheddle-mpi.so

run() {
	local preload=
	unset HEDDLE_SAMPLE_HZ
	case $1 in
	wrappers) preload=$wrappers ;;
	events) preload=$library:$wrappers ;;
	events_and_samples)
		preload=$library:$wrappers
		export HEDDLE_SAMPLE_HZ=1000
		;;
	esac
	HEDDLE_OUTPUT=$work/out.$RANDOM "mpirun.$mpi" -n 1 env LD_PRELOAD="$preload" "$work/mpi.$mpi"
}

machine
echo "$repeats repeats each"
variants=(bare wrappers events events_and_samples)
for mpi in "${@:-mpich}"; do
	have "mpicc.$mpi" "$mpi" || continue
	"mpicc.$mpi" -O2 -g -I"$here/.." -o "$work/mpi.$mpi" "$here/mpi.c"
	: > "$work/results"
	for _ in $(seq "$repeats"); do
		for variant in "${variants[@]}"; do
			(run "$variant" 2> /dev/null) | record "$variant" || true
			rm -rf "$work"/out.*
		done
	done
	echo "$mpi"
	for key in clock comm_rank barrier allreduce sendrecv request; do
		table "$key" ns "${variants[@]}"
	done
done
