#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The view of messages between the ranks of an MPI program; for a program without messages, it says why it is empty.
. "${HEDDLE_SOURCE:?the source directory}/tests/browse/lib.sh" || exit 1

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
for mpi in openmpi mpich; do
	command -v "mpicc.$mpi" > /dev/null && command -v "mpirun.$mpi" > /dev/null && break
	mpi=
done
[ -n "$mpi" ] || skip "no mpirun.mpich or mpirun.openmpi, with compilers, on this machine"
"mpicc.$mpi" -O1 -o clocks "$HEDDLE_SOURCE/tests/mpi/clocks.c" || { fail "clocks.c does not compile"; finish; }
"mpirun.$mpi" -n 2 "$heddle" run --sample-hz 0 -o ranks -- ./clocks 20 > run.out 2>&1 || { cat run.out; fail "the measured run failed"; finish; }
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
[ "$sent" = "$rounds" ] || fail "$sent messages from 0 to 1, one in each of $rounds rounds"
keys Escape q
ended 0

"mpicc.$mpi" -O1 -o files "$HEDDLE_SOURCE/tests/mpi/files.c" || { fail "files.c does not compile"; finish; }
"mpirun.$mpi" -n 2 "$heddle" run --sample-hz 0 -o io -- ./files > run.out 2>&1 || { cat run.out; fail "the measured run failed"; finish; }
browse 200x60 io
keys M
shows 'by file: reads at the left, writes at the right'
shows '  rank1/own.data'
moved=$(screen | awk '/ blocking.data/ { print $1, $2, $3, $6, $7, $8 }')
[ "$moved" = "4 2.34 KiB 6 4.69 KiB" ] || fail "blocking.data: $moved"
keys Escape q
ended 0

# Rank 1 sends 50 ms after rank 0 begins to wait for it.
cat > late.c <<'END_C'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int rank, value = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1) {
		usleep(50000);
		MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	} else if (rank == 0) {
		MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
END_C
"mpicc.$mpi" -g -O1 -o late late.c || { fail "late.c does not compile"; finish; }
"mpirun.$mpi" -n 2 "$heddle" run --sample-hz 0 --trace -o traced -- ./late > run.out 2>&1 || { cat run.out; fail "the measured run failed"; finish; }
browse 120x40 traced
keys w
shows '[waits]'
shows 'late sender'
shows 'MPI_Recv @late.c:13'
shows '  MPI 1 in MPI_Send @late.c:11'
keys m Escape w
shows '[waits]'
keys Escape q
ended 0

measurement m
browse 80x24 m
keys M
shows 'no rank sent a message; only MPI programs do'
keys Escape w
shows 'waits need a trace'
keys Escape q
ended 0
finish
