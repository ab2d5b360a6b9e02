/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that binding_*.f90 make, in C and (unchanged) in C++. */
#include <mpi.h>

static void exchange(int rank, int size)
{
	int out[100] = {0}, in[100];
	MPI_Request requests[2];
	MPI_Status statuses[2];
	MPI_Irecv(in, 100, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(out, 100, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, statuses);
	MPI_Sendrecv(out, 10, MPI_INT, (rank + 1) % size, 2, in, 10, MPI_INT, (rank + size - 1) % size, 2,
		MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	int rank, size, all;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 7; i++)
		exchange(rank, size);
	MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return all != size * (size - 1) / 2;
}
