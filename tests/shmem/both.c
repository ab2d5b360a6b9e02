/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses OpenSHMEM and MPI. "after": only the OpenSHMEM library initializes MPI. */
#include <mpi.h>
#include <shmem.h>
#include <stdio.h>

static long word;

int main(int argc, char **argv)
{
	int rank, is_initialized;
	long sum, value;
	if (argc == 1)
		MPI_Init(&argc, &argv);
	shmem_init();
	MPI_Initialized(&is_initialized);
	int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	shmem_long_p(&word, me, next);
	shmem_barrier_all();
	MPI_Allreduce(&word, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		MPI_Send(&sum, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD);
	else if (rank == 1)
		MPI_Recv(&value, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	printf("%d %d %d %ld\n", me, rank, is_initialized, sum);
	shmem_finalize();
	return 0;
}
