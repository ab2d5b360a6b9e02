/* SPDX-License-Identifier: BSD-3-Clause */
/* Three threads of each rank put into the next rank's window and complete each other's accesses, as does the main one.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static MPI_Win window;
static int next;

static void *put(void *argument)
{
	long value = 1;
	for (int i = 0; i < 200; i++) {
		MPI_Put(&value, 1, MPI_LONG, next, 0, 1, MPI_LONG, window);
		if (i % 7 == 0)
			MPI_Win_flush(next, window);
	}
	return argument;
}

int main(int argc, char **argv)
{
	int provided, rank, size;
	long *memory;
	pthread_t threads[3];
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	next = (rank + 1) % size;
	if (rank == 0 && provided < MPI_THREAD_MULTIPLE)
		puts("one thread at a time");
	MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
	MPI_Win_lock_all(0, window);
	for (int i = 0; i < 3 && provided == MPI_THREAD_MULTIPLE; i++)
		pthread_create(&threads[i], NULL, put, NULL);
	for (int i = 0; i < 100; i++)
		MPI_Win_flush_all(window);
	for (int i = 0; i < 3 && provided == MPI_THREAD_MULTIPLE; i++)
		pthread_join(threads[i], NULL);
	MPI_Win_unlock_all(window);
	MPI_Win_free(&window);
	MPI_Finalize();
	return 0;
}
