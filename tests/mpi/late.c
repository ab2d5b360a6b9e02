/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks are late by known times: 1 at barriers of all, 2 at barriers of the even ranks, 3 at a collective. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int rank, sum = 0;
	MPI_Comm half;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	for (int i = 0; i < 3; i++) {
		if (rank == 1)
			usleep(200000);
		MPI_Barrier(MPI_COMM_WORLD); /* line: all */
	}
	for (int i = 0; i < 2; i++) {
		if (rank == 2)
			usleep(200000);
		MPI_Barrier(half); /* line: even */
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 3)
		usleep(400000);
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
