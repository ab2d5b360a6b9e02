/* SPDX-License-Identifier: BSD-3-Clause */
/* Two copies of a communicator, which ranks use in another order than they were created: 100 bytes by one, 200 by the
 * other. */
#include <mpi.h>

int main(int argc, char **argv)
{
	static char out[200], in[400];
	MPI_Comm copies[2];
	MPI_Request made[2], received[2];
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_idup(MPI_COMM_WORLD, &copies[0], &made[0]);
	MPI_Wait(&made[0], MPI_STATUS_IGNORE);
	MPI_Comm_idup(MPI_COMM_WORLD, &copies[1], &made[1]);
	MPI_Wait(&made[1], MPI_STATUS_IGNORE);
	for (int i = 0; i < 2; i++) {
		int which = rank ? 1 - i : i, bytes = 100 * (which + 1);
		MPI_Irecv(in + 200 * which, bytes, MPI_CHAR, 1 - rank, 1, copies[which], &received[which]);
		MPI_Send(out, bytes, MPI_CHAR, 1 - rank, 1, copies[which]);
	}
	MPI_Waitall(2, received, MPI_STATUSES_IGNORE);
	MPI_Comm_free(&copies[0]);
	MPI_Comm_free(&copies[1]);
	MPI_Finalize();
	return 0;
}
