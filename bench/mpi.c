/* SPDX-License-Identifier: BSD-3-Clause */
/* Nanoseconds of MPI calls on one rank, which need no other rank (least.h). */
#include "bench/least.h"
#include "core/base/clock.h"
#include <mpi.h>

int main(int argc, char **argv)
{
	int rank, in = 0, out = 1;
	MPI_Request request;
	MEASURE("clock", (heddle__tsc(), heddle__tsc())); /* each timed call reads the clock like this */
	MPI_Init(&argc, &argv);
	MEASURE("comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &rank));
	MEASURE("barrier", MPI_Barrier(MPI_COMM_SELF));
	MEASURE("allreduce", MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF));
	MEASURE("sendrecv",
		MPI_Sendrecv(&in, 1, MPI_INT, 0, 1, &out, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
	/* Three calls: Irecv, Send, Wait. */
	MEASURE("request",
		(MPI_Irecv(&out, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &request),
			MPI_Send(&in, 1, MPI_INT, 0, 2, MPI_COMM_SELF), MPI_Wait(&request, MPI_STATUS_IGNORE)));
	MPI_Finalize();
	return 0;
}
