/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks spawn two others, which have a separate MPI_COMM_WORLD. In each world, one rank is late at a barrier. */
#include <mpi.h>
#include <time.h>

static void late_by(long ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void in_spawned(int rank)
{
	for (int i = 0; i < 3; i++)
		MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1)
		late_by(150);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void in_first(int rank)
{
	if (rank == 0)
		late_by(400);
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	MPI_Comm parent, others, all;
	int rank, sum;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_get_parent(&parent);
	others = parent;
	if (parent == MPI_COMM_NULL)
		MPI_Comm_spawn(
			argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE);
	MPI_Intercomm_merge(others, parent != MPI_COMM_NULL, &all);
	if (parent == MPI_COMM_NULL)
		in_first(rank);
	else
		in_spawned(rank);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all);
	MPI_Comm_free(&all);
	MPI_Comm_disconnect(&others);
	MPI_Finalize();
	return sum != 2;
}
