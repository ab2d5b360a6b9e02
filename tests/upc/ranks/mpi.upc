/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC threads that are also MPI processes. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <upc.h>

int mpi_start(void), mpi_sum(int number);
void mpi_end(void);

shared int number[THREADS];

int main(int argc, char **argv)
{
	number[(MYTHREAD + 1) % THREADS] = MYTHREAD + 1;
	upc_barrier;
	int rank = mpi_start(), sum = mpi_sum(number[MYTHREAD]);
	upc_barrier;
	if (rank != MYTHREAD || sum != THREADS * (THREADS + 1) / 2)
		printf("WRONG: thread %d is rank %d, sum %d\n", MYTHREAD, rank, sum);
	if (argc > 1 && strcmp(argv[1], "global") == 0 && MYTHREAD == 1)
		upc_global_exit(37); /* before MPI_Finalize */
	if (argc > 1)
		upc_barrier;
	mpi_end();
	if (argc > 1 && strcmp(argv[1], "later") == 0 && MYTHREAD == 0)
		sleep(2); /* the others check meanwhile whether the launcher still exists */
	upc_barrier; /* MPI_Finalize has closed MPI's connection to the launcher */
	if (MYTHREAD == 0)
		printf("sum %d\n", sum);
	return 0;
}
