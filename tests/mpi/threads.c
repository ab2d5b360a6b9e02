/* SPDX-License-Identifier: BSD-3-Clause */
/* All threads call MPI: each sends to its counterpart on the next rank; other threads complete the receives. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

#define THREADS 4
#define MESSAGES 500

static int rank, size;
static MPI_Comm comms[THREADS];
static MPI_Request handed[THREADS][MESSAGES];
static pthread_barrier_t barrier;
static char in[THREADS][MESSAGES][8];

static void *communicate(void *argument)
{
	int self = (int)(long)argument, other = (self + 1) % THREADS;
	char out[8] = "1234567";
	for (int i = 0; i < MESSAGES; i++)
		MPI_Irecv(in[self][i], 8, MPI_CHAR, (rank + size - 1) % size, i, comms[self], &handed[self][i]);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < MESSAGES; i++)
		MPI_Send(out, 1 + i % 8, MPI_CHAR, (rank + 1) % size, i, comms[self]);
	for (int i = 0; i < MESSAGES; i++)
		MPI_Wait(&handed[other][i], MPI_STATUS_IGNORE);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	int provided;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (provided < MPI_THREAD_MULTIPLE)
		printf("no threads\n");
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
	for (long i = 0; provided == MPI_THREAD_MULTIPLE && i < THREADS; i++)
		pthread_create(&threads[i], NULL, communicate, (void *)i);
	for (int i = 0; provided == MPI_THREAD_MULTIPLE && i < THREADS; i++)
		pthread_join(threads[i], NULL);
	MPI_Finalize();
	return 0;
}
