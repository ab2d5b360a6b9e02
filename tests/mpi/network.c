/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network chain|even ROUNDS MS: two ranks. chain: they sleep in turn, each after it has received the other's message.
 * even: both sleep, then reduce, with an operation that sleeps as long. A sleep takes the requested time, or longer.
 * Rank 0 prints "own US", the time that both ranks spent outside of MPI, and "main US", the longest time in main.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long ms;
static double own, since, begin;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void nap(void)
{
	struct timespec left = {ms / 1000, ms % 1000 * 1000000};
	while (nanosleep(&left, &left) != 0)
		continue;
}

static void leave_own(void)
{
	own += now() - since;
}

static void enter_own(void)
{
	since = now();
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
		if (rank == 1 || i > 0) {
			leave_own();
			MPI_Recv(&token, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			enter_own();
		}
		nap();
		leave_own();
		MPI_Send(&token, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
		enter_own();
	}
	leave_own();
	if (rank == 0)
		MPI_Recv(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	enter_own();
}

static void even(long rounds)
{
	int one = 1, sum;
	MPI_Op op;
	MPI_Op_create(slow_sum, 1, &op);
	for (long i = 0; i < rounds; i++) {
		nap();
		leave_own();
		MPI_Allreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
		enter_own();
	}
	MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
	int rank;
	begin = now();
	enter_own();
	if (argc < 4)
		return 2;
	ms = atol(argv[3]);
	leave_own();
	MPI_Init(&argc, &argv);
	enter_own();
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (strcmp(argv[1], "chain") == 0)
		chain(rank, atol(argv[2]));
	else
		even(atol(argv[2]));
	leave_own();
	double mine[2] = {own, now() - begin}, sums[2], most[2];
	MPI_Reduce(mine, sums, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Reduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("own %.0f\nmain %.0f\n", sums[0], most[1]);
	MPI_Finalize();
	return 0;
}
