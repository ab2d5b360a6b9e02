/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI part of mpi.upc, as each MPI library has its own compiler. */
#include <mpi.h>
#include <stddef.h>

int mpi_start(void)
{
	int rank;
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return rank;
}

int mpi_sum(int number)
{
	int sum;
	MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	return sum;
}

void mpi_end(void)
{
	MPI_Finalize();
}
