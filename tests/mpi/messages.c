/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of all kinds around a ring, by a communicator with reversed ranks, and collectives: each rank sends and
 * receives 5 nonblocking messages of 1000 bytes, 3 persistent ones of 100, one of 10 by MPI_Sendrecv, one of 200000
 * that is not buffered, and, except from the last rank to the first, one of 4 by MPI_Send and MPI_Recv. Prints
 * "persistent" if the library has persistent collectives.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static char buffer[2][200000];
static MPI_Comm comm;
static int next, before, rank, size;

static void nonblocking(void)
{
	MPI_Request requests[10];
	for (int i = 0; i < 5; i++) {
		MPI_Irecv(
			buffer[0] + 1000 * i, 1000, MPI_CHAR, i % 2 ? MPI_ANY_SOURCE : before, 20, comm, &requests[i]);
		MPI_Isend(buffer[1], 1000, MPI_CHAR, next, 20, comm, &requests[5 + i]);
	}
	MPI_Waitall(10, requests, MPI_STATUSES_IGNORE);
	MPI_Irecv(buffer[0], 200000, MPI_CHAR, before, MPI_ANY_TAG, comm, &requests[0]);
	MPI_Isend(buffer[1], 200000, MPI_CHAR, next, 21, comm, &requests[1]);
	for (int done = 0, flag; done < 2;) {
		int index;
		MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
		done += flag && index != MPI_UNDEFINED;
	}
}

static void persistent(void)
{
	MPI_Request requests[2];
	MPI_Recv_init(buffer[0], 100, MPI_CHAR, before, 22, comm, &requests[0]);
	MPI_Send_init(buffer[1], 100, MPI_CHAR, next, 22, comm, &requests[1]);
	for (int i = 0; i < 3; i++) {
		MPI_Startall(2, requests);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
}

static void blocking(void)
{
	MPI_Sendrecv(buffer[1], 10, MPI_CHAR, next, 23, buffer[0], 10, MPI_CHAR, before, 23, comm, MPI_STATUS_IGNORE);
	if (rank > 0)
		MPI_Recv(buffer[0], 1, MPI_INT, before, 24, comm, MPI_STATUS_IGNORE);
	if (rank < size - 1)
		MPI_Send(buffer[1], 1, MPI_INT, next, 24, comm);
	MPI_Send(buffer[1], 1, MPI_INT, MPI_PROC_NULL, 24, comm);
}

static void collectives(void)
{
	int one = 1, sum;
	int *all = malloc(sizeof(int) * (size_t)size);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Bcast(&one, 1, MPI_INT, size - 1, comm);
	MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
	MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, comm);
	MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
	free(all);
}

/* Two nonblocking collectives at a time, completed in reverse order, and a persistent one if MPI has it. */
static void collectives_that_go_on(void)
{
	int one = 1, sum, two = 2;
	MPI_Request requests[2];
	MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[0]);
	MPI_Ibcast(&two, 1, MPI_INT, 1, comm, &requests[1]);
	MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Ibarrier(comm, &requests[0]);
	for (int done = 0; !done;)
		MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
	MPI_Allgather_init(&one, 1, MPI_INT, buffer[0], 1, MPI_INT, comm, MPI_INFO_NULL, &requests[0]);
	for (int i = 0; i < 2; i++) {
		MPI_Start(&requests[0]);
		MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&requests[0]);
#endif
}

/* Rank 0 of the world and the other ranks as two groups: it broadcasts an int to them and sends 30 bytes. */
static void between_groups(void)
{
	MPI_Comm half, inter;
	MPI_Request request;
	int own, value = 7, sum;
	MPI_Comm_rank(MPI_COMM_WORLD, &own);
	MPI_Comm_split(MPI_COMM_WORLD, own > 0, own, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, own == 0, 9, &inter);
	MPI_Barrier(inter);
	MPI_Bcast(&value, 1, MPI_INT, own == 0 ? MPI_ROOT : 0, inter);
	MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, inter, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (own == 0)
		MPI_Send(buffer[1], 30, MPI_CHAR, 1, 25, inter);
	else if (own == 2)
		MPI_Recv(buffer[0], 30, MPI_CHAR, 0, 25, inter, MPI_STATUS_IGNORE);
	MPI_Comm_free(&inter);
	MPI_Comm_free(&half);
}

/* Each rank puts 40 bytes into the memory of the next rank, twice, and gets 80. */
static void windows(void)
{
	static int memory[20];
	MPI_Win window;
	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, comm, &window);
	MPI_Win_fence(0, window);
	MPI_Put(buffer[1], 10, MPI_INT, next, 0, 10, MPI_INT, window);
	MPI_Accumulate(buffer[1], 10, MPI_INT, next, 10, 10, MPI_INT, MPI_REPLACE, window);
	MPI_Win_fence(0, window);
	MPI_Get(buffer[0], 20, MPI_INT, next, 0, 20, MPI_INT, window);
	MPI_Win_fence(0, window);
	MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &comm);
	MPI_Comm_rank(comm, &rank);
	next = (rank + 1) % size;
	before = (rank + size - 1) % size;
	nonblocking();
	persistent();
	blocking();
	collectives();
	collectives_that_go_on();
	between_groups();
	windows();
	MPI_Comm_free(&comm);
	if (MPI_VERSION >= 4 && rank == 0)
		puts("persistent");
	MPI_Finalize();
	return 0;
}
