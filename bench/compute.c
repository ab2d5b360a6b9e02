/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compute THREADS STEPS [ROWS]: a fixed amount of work, a Jacobi-like sweep in parallel loops; prints its CPU and wall
 * time. Few rows result in many short regions.
 */
#include <stdio.h>
#include <stdlib.h>

#include "clocks.h"

enum { ROWS = 1600, COLUMNS = 1000 };
static double grid[2][ROWS][COLUMNS];

static __attribute__((noinline)) void relax(const double (*from)[COLUMNS], double (*to)[COLUMNS], int row)
{
	for (int c = 1; c < COLUMNS - 1; c++)
		to[row][c] = 0.25 * (from[row - 1][c] + from[row + 1][c] + from[row][c - 1] + from[row][c + 1]) /
			     (1 + 1e-9 * from[row][c]);
}

static __attribute__((noinline)) void sweep(int step, int threads, int rows)
{
#pragma omp parallel for num_threads(threads)
	for (int row = 1; row < rows - 1; row++)
		relax(grid[step % 2], grid[1 - step % 2], row);
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 2, steps = argc > 2 ? atoi(argv[2]) : 800;
	int rows = argc > 3 ? atoi(argv[3]) : ROWS;
	double wall = wall_seconds(), cpu = process_cpu_seconds();

	if (rows < 3 || rows > ROWS)
		return 2;
	for (int c = 0; c < COLUMNS; c++)
		grid[0][0][c] = grid[1][0][c] = 100;
	for (int step = 0; step < steps; step++)
		sweep(step, threads, rows);
	printf("wall_s %.6f\ncpu_s %.6f\n", wall_seconds() - wall, process_cpu_seconds() - cpu);
	return grid[0][1][1] < 0;
}
