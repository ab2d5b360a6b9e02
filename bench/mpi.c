/* SPDX-License-Identifier: BSD-3-Clause */
/* Nanoseconds of MPI calls on one rank, which need no other: the least of many rounds. Lines `NAME NANOSECONDS`. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

#define ROUNDS 200
#define CALLS 2000

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#define MEASURE(name, statement)                                  \
	do {                                                      \
		double least = 1e18;                              \
		for (int round = 0; round < ROUNDS; round++) {    \
			double begun = now_ns();                  \
			for (int i = 0; i < CALLS; i++)           \
				statement;                        \
			double each = (now_ns() - begun) / CALLS; \
			least = each < least ? each : least;      \
		}                                                 \
		printf("%s %.1f\n", name, least);                 \
	} while (0)

int main(int argc, char **argv)
{
	int rank, in = 0, out = 1;
	MPI_Request request;
	MPI_Init(&argc, &argv);
	MEASURE("comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &rank));
	MEASURE("barrier", MPI_Barrier(MPI_COMM_SELF));
	MEASURE("allreduce", MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF));
	MEASURE("sendrecv",
		MPI_Sendrecv(&in, 1, MPI_INT, 0, 1, &out, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
	/* Three calls. */
	MEASURE("request",
		(MPI_Irecv(&out, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &request),
			MPI_Send(&in, 1, MPI_INT, 0, 2, MPI_COMM_SELF), MPI_Wait(&request, MPI_STATUS_IGNORE)));
	MPI_Finalize();
	return 0;
}
