#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The view of messages between ranks, of an MPI program; of a program without, it says why there is nothing.
. "${HEDDLE_SOURCE:?the source directory}/tests/browse/lib.sh" || exit 1

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
for mpi in openmpi mpich; do
	command -v "mpicc.$mpi" > /dev/null && command -v "mpirun.$mpi" > /dev/null && break
	mpi=
done
[ -n "$mpi" ] || skip "no mpirun.mpich or mpirun.openmpi, with compilers, on this machine"
"mpicc.$mpi" -O1 -o clocks "$HEDDLE_SOURCE/tests/mpi/clocks.c" || { fail "clocks.c does not compile"; finish; }
"mpirun.$mpi" -n 2 "$heddle" run --sample-hz 0 -o ranks -- ./clocks 20 > run.out 2>&1 || { cat run.out; fail "the run"; finish; }
rounds=$(sed -n 's/^clocks: \([0-9]*\) rounds.*/\1/p' run.out)

browse 120x40 ranks
keys M
shows '[messages]'
shows 'by size'
shows '  below 8 B'
shows 'by communicator'
shows '  MPI_COMM_WORLD'
shows 'from rank to rank'
shows '  MPI 0 to 1'
shows '  MPI 1 to 0'
sent=$(screen | awk '/MPI 0 to 1/ { gsub(",", "", $1); print $1 }')
expect "$sent messages from 0 to 1, one in each of $rounds rounds" test "$sent" = "$rounds"
keys Escape q
ended 0

measurement m
browse 80x24 m
keys M
shows 'no rank sent a message: MPI programs do'
keys Escape q
ended 0
finish
