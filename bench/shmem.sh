#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The cost of OpenSHMEM calls that access the calling PE's memory, in nanoseconds: bare, through wrappers that only pass
# on, measured, with samples, and with a trace, too. Usage: bench/shmem.sh
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-7}
have "$heddle" heddle "./dev build" || exit 77
have oshcc OpenSHMEM "package libopenmpi-dev" || exit 77
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_memory=^patcher
wrappers=$HEDDLE_BUILD/lib/libheddle-mpi.so:$HEDDLE_BUILD/lib/libheddle-shmem.so

run() {
	local preload=$library:$wrappers
	unset HEDDLE_SAMPLE_HZ HEDDLE_TRACE
	case $1 in
	bare) preload= ;;
	wrappers) preload=$wrappers ;;
	events_and_samples) export HEDDLE_SAMPLE_HZ=1000 ;;
	trace) export HEDDLE_TRACE=1 HEDDLE_SAMPLE_HZ=1000 ;;
	esac
	HEDDLE_OUTPUT=$work/out.$RANDOM oshrun -np 1 env LD_PRELOAD="$preload" "$work/shmem"
}

machine
echo "$repeats repeats each"
variants=(bare wrappers events events_and_samples trace)
oshcc -O2 -g -I"$here/.." -o "$work/shmem" "$here/shmem.c"
: > "$work/results"
for _ in $(seq "$repeats"); do
	for variant in "${variants[@]}"; do
		(run "$variant" 2> /dev/null) | record "$variant" || true
		rm -rf "$work"/out.*
	done
done
for key in my_pe put get p g fetch_add quiet; do
	table "$key" ns "${variants[@]}"
done
