/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network chain|even ROUNDS MS: two ranks. chain: they sleep in turn, each after it has received the other's message.
 * even: both sleep, then reduce, with an operation that sleeps as long. A sleep takes the requested time, or longer.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long ms;

static void nap(void)
{
	struct timespec left = {ms / 1000, ms % 1000 * 1000000};
	while (nanosleep(&left, &left) != 0)
		continue;
}

static void slow_sum(void *in, void *inout, int *count, MPI_Datatype *type)
{
	(void)type;
	nap();
	for (int i = 0; i < *count; i++)
		((int *)inout)[i] += ((int *)in)[i];
}

static void chain(int rank, long rounds)
{
	int token = 0;
	for (long i = 0; i < rounds; i++) {
		if (rank == 1 || i > 0)
			MPI_Recv(&token, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		nap();
		MPI_Send(&token, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
	}
	if (rank == 0)
		MPI_Recv(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void even(long rounds)
{
	int one = 1, sum;
	MPI_Op op;
	MPI_Op_create(slow_sum, 1, &op);
	for (long i = 0; i < rounds; i++) {
		nap();
		MPI_Allreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
	}
	MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
	int rank;
	if (argc < 4)
		return 2;
	ms = atol(argv[3]);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (strcmp(argv[1], "chain") == 0)
		chain(rank, atol(argv[2]));
	else
		even(atol(argv[2]));
	MPI_Finalize();
	return 0;
}
