/* SPDX-License-Identifier: BSD-3-Clause */
/* clocks MILLISECONDS: for that time, neighbours exchange messages, and all ranks execute collectives. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int rank, size, rounds = 0, going = 1, number = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	double end = MPI_Wtime() + (argc > 1 ? atof(argv[1]) : 0) / 1000;
	int other = size - 1 - rank;
	while (going) {
		if (rank < other) {
			MPI_Send(&rounds, 1, MPI_INT, other, 3, MPI_COMM_WORLD);
			MPI_Recv(&number, 1, MPI_INT, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		} else {
			MPI_Recv(&number, 1, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			MPI_Send(&rounds, 1, MPI_INT, other, 4, MPI_COMM_WORLD);
		}
		if (rounds % 10 == 0)
			MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 0)
			going = MPI_Wtime() < end;
		MPI_Bcast(&going, 1, MPI_INT, 0, MPI_COMM_WORLD);
		rounds++;
	}
	MPI_Allreduce(&rounds, &number, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	if (rank == 0) /* and flushed, in case MPI_Finalize fails */
		printf("clocks: %d rounds: %s\n", rounds, number == rounds ? "right" : "wrong");
	fflush(stdout);
	MPI_Finalize();
	return 0;
}
