/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks are late by known times: 1 at barriers of all, 2 at barriers of the even ranks, 3 at a collective,
 * 0 with messages. 1 receives late, and is a late root; 2 is late in a reduction.
 */
#include <mpi.h>
#include <unistd.h>

/* Rank 2 waits for messages of rank 0, by a communicator in which their ranks are 1 and 0; two are persistent. */
static void messages(MPI_Comm half, int rank)
{
	int buffer = 0;
	MPI_Request request;
	for (int i = 0; i < 2; i++) {
		if (rank == 0) {
			usleep(200000);
			MPI_Send(&buffer, 1, MPI_INT, 1, 5, half);
		} else if (rank == 2) {
			MPI_Recv(&buffer, 1, MPI_INT, 0, MPI_ANY_TAG, half, MPI_STATUS_IGNORE); /* line: receive */
		}
	}
	if (rank == 0)
		MPI_Send_init(&buffer, 1, MPI_INT, 1, 6, half, &request);
	for (int i = 0; i < 2; i++) {
		if (rank == 0) {
			usleep(200000);
			MPI_Start(&request);
		} else if (rank == 2) {
			MPI_Irecv(&buffer, 1, MPI_INT, MPI_ANY_SOURCE, 6, half, &request);
		}
		if (rank == 0 || rank == 2)
			MPI_Wait(&request, MPI_STATUS_IGNORE); /* line: wait */
	}
	if (rank == 0)
		MPI_Request_free(&request);
}

/* Rank 0 sends before rank 1 receives; three wait for the root 1, and the root 0 for 2. */
static void rooted(int rank)
{
	int buffer = 0, sum;
	MPI_Request request;
	if (rank == 1)
		usleep(200000);
	if (rank == 0)
		MPI_Ssend(&buffer, 1, MPI_INT, 1, 7, MPI_COMM_WORLD); /* line: ssend */
	else if (rank == 1)
		MPI_Recv(&buffer, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank == 0) {
		MPI_Issend(&buffer, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* line: issend */
	} else if (rank == 1) {
		usleep(200000);
		MPI_Recv(&buffer, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1)
		usleep(200000);
	MPI_Bcast(&buffer, 1, MPI_INT, 1, MPI_COMM_WORLD); /* line: broadcast */
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 2)
		usleep(200000);
	MPI_Reduce(&buffer, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* line: reduce */
}

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
	messages(half, rank);
	MPI_Barrier(MPI_COMM_WORLD);
	rooted(rank);
	MPI_Finalize();
	return 0;
}
