/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank r sends r + 1 messages of 1000 bytes to each rank before it, by a communicator with reversed ranks. */
#include <mpi.h>
#include <unistd.h>

static void send_one(int to, int tag, MPI_Comm comm)
{
	static char buffer[1000];
	MPI_Send(buffer, 1000, MPI_CHAR, to, tag, comm);
}

__attribute__((noinline)) static void first(int to, MPI_Comm comm)
{
	send_one(to, 0, comm);
	__asm__ volatile("");
}

__attribute__((noinline)) static void others(int to, int tag, MPI_Comm comm)
{
	send_one(to, tag, comm);
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	char buffer[1000] = "";
	int rank, size, self;
	MPI_Comm comm;
	MPI_Init(&argc, &argv);
	double begin = MPI_Wtime();
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &comm);
	MPI_Comm_rank(comm, &self);
	for (int to = 0; to < rank; to++)
		for (int i = 0; i <= rank; i++)
			i == 0 ? first(size - 1 - to, comm) : others(size - 1 - to, i, comm);
	for (int from = rank + 1; from < size; from++)
		for (int i = 0; i <= from; i++)
			MPI_Recv(buffer, 1000, MPI_CHAR, MPI_ANY_SOURCE, i, comm, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	/* Rank 0 is late once in four times, for longer than a busy machine has delayed everything before. */
	double seconds = 0.3 + 2 * (MPI_Wtime() - begin);
	for (int i = 0; i < 4; i++) {
		if (rank == 0 && i == 3)
			usleep((useconds_t)(1e6 * (seconds < 20 ? seconds : 20)));
		MPI_Allreduce(MPI_IN_PLACE, &self, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
	if (rank == 1) { /* no rank sends the message */
		MPI_Request requests[3];
		MPI_File file;
		MPI_Irecv(buffer, 1, MPI_CHAR, 2, 77, MPI_COMM_WORLD, &requests[0]);
		MPI_Ibarrier(MPI_COMM_SELF, &requests[1]);
		MPI_File_open(MPI_COMM_SELF, "left.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
		MPI_File_iread(file, buffer, 10, MPI_CHAR, &requests[2]);
	}
	MPI_Finalize();
	return 0;
}
