/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operations of upc_network.upc by MPI: MPI_Get and MPI_Win_flush while the target polls in MPI_Barrier, and
 * MPI_Barrier. Rank 0 prints "name value" lines. Argument: the number of single operations.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define LARGE (4 << 20)

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof(*values), by_size);
	return values[count / 2];
}

static void gets(MPI_Win window, char *to, int size, double *times, int count)
{
	for (int i = -100; i < count; i++) {
		double start = MPI_Wtime();
		MPI_Get(to, size, MPI_CHAR, 1, 0, size, MPI_CHAR, window);
		MPI_Win_flush(1, window);
		if (i >= 0)
			times[i] = (MPI_Wtime() - start) * 1e6;
	}
}

static void measure(MPI_Win window, double *times, int count)
{
	char *to = malloc(LARGE);
	gets(window, to, 8, times, count);
	printf("mpi_get %.3f\n", median(times, count));
	printf("mpi_get_p99 %.3f\n", times[count * 99 / 100]);
	gets(window, to, 1 << 16, times, count / 4 + 1);
	printf("mpi_get_64k %.1f\n", (1 << 16) / median(times, count / 4 + 1));
	gets(window, to, LARGE, times, count / 50 + 1);
	printf("mpi_get_4m %.1f\n", LARGE / median(times, count / 50 + 1));
	free(to);
}

int main(int argc, char **argv)
{
	int rank, count = argc > 1 ? atoi(argv[1]) : 2000;
	MPI_Win window;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	double *times = malloc((size_t)count * sizeof(*times));
	char *memory = malloc(LARGE);
	for (int i = 0; i < LARGE; i++)
		memory[i] = (char)i;
	MPI_Win_create(memory, LARGE, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
	MPI_Win_lock_all(0, window);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		measure(window, times, count);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < count; i++) {
		double start = MPI_Wtime();
		MPI_Barrier(MPI_COMM_WORLD);
		times[i] = (MPI_Wtime() - start) * 1e6;
	}
	if (rank == 0)
		printf("mpi_barrier %.3f\n", median(times, count));
	MPI_Win_unlock_all(window);
	MPI_Win_free(&window);
	MPI_Finalize();
	free(memory);
	free(times);
	return 0;
}
