/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Typical kernels of UPC programs: a stencil on blocked rows, a conjugate gradient's product with a sparse matrix, an
 * update of a distributed table, and reads of another thread's memory one by one. Thread 0 prints the minimum of
 * several runs of each, in microseconds, or in nanoseconds per read. First argument: number of runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc.h>

#define SIDE 128 /* rows per thread, and length of a row */
#define ROWS 4096
#define WIDTH 16 /* entries per matrix row */
#define READS 20000

shared [SIDE * SIDE] double now_grid[SIDE * THREADS][SIDE], next_grid[SIDE * THREADS][SIDE];
shared double vector[ROWS * THREADS], product[ROWS * THREADS];
shared unsigned long table[ROWS * THREADS];
shared [ROWS] int far[ROWS * THREADS];
static double matrix[ROWS * WIDTH];
static int columns[ROWS * WIDTH];
static volatile int repeats = 5;

static void stencil(void)
{
	int last = SIDE * THREADS - 1;
	upc_forall (int r = 1; r < last; r++; &next_grid[r][0])
		for (int c = 1; c < SIDE - 1; c++)
			next_grid[r][c] = .25 * (now_grid[r - 1][c] + now_grid[r + 1][c] + now_grid[r][c - 1] +
							now_grid[r][c + 1]);
}

static void multiply(void)
{
	int rows = ROWS * THREADS;
	upc_forall (int r = 0; r < rows; r++; &product[r]) {
		int own = r / THREADS;
		double sum = 0;
		for (int k = own * WIDTH; k < (own + 1) * WIDTH; k++)
			sum += matrix[k] * vector[columns[k]];
		product[r] = sum;
	}
}

static void update(void)
{
	unsigned long random = 88172645463325252ul + (unsigned long)MYTHREAD;
	for (int i = 0; i < ROWS; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		table[random % (unsigned long)(ROWS * THREADS)] ^= random;
	}
}

static volatile long result;

static void read_far(void)
{
	int other = (MYTHREAD + 1) % THREADS;
	long sum = 0;
	for (int i = 0; i < READS; i++)
		sum += far[other * ROWS + i % ROWS];
	result = sum;
}

static const struct {
	const char *name;
	void (*run)(void);
	double unit; /* in nanoseconds */
} kernels[] = {
	{"stencil", stencil, 1000},
	{"product", multiply, 1000},
	{"update", update, 1000},
	{"get", read_far, READS}, /* for each read */
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		repeats = atoi(argv[1]);
	for (int i = 0; i < ROWS * WIDTH; i++) {
		matrix[i] = i % 7;
		columns[i] = (int)((i * 2654435761u) % (unsigned)(ROWS * THREADS));
	}
	for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
		double least = 0;
		for (int r = 0; r < repeats; r++) {
			upc_barrier;
			double start = now();
			kernels[k].run();
			double took = now() - start;
			if (r == 0 || took < least)
				least = took;
		}
		if (MYTHREAD == 0)
			printf("%s %.3f\n", kernels[k].name, least / kernels[k].unit);
	}
	return 0;
}
