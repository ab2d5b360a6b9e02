/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat in a square plate with cold edges, in UPC and OpenMP.
 *
 *     plate [-n UPC-THREADS] [STEPS [SIZE]]
 *
 * Each UPC thread has a strip of rows, and its OpenMP threads share these. Before each step it gets the last row of the
 * strip above and the first of the strip below. The plate starts as a sum of two waves; a step scales each by a known
 * factor, so every value can be verified.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_collective.h>

struct strip {
	shared [] double *now, *next; /* rows first - 1 .. last + 1, edges and ghost rows included */
};

static shared struct strip strips[THREADS];
static int size;        /* inner points per side; the edges are 0 */
static int first, last; /* rows of this thread, from 1; none if last < first */

static int first_of(int thread)
{
	return 1 + (int)((long)size * thread / THREADS);
}

static size_t row_bytes(void)
{
	return sizeof(double) * (size + 2);
}

static double wave(int row, int column, int across, int down)
{
	double h = M_PI / (size + 1);

	return sin(across * h * column) * sin(down * h * row);
}

/* The exact solution after some steps. */
static double exact(int row, int column, int steps)
{
	double h = M_PI / (size + 1);
	double slow = pow(cos(h), steps), fast = pow((cos(3 * h) + cos(2 * h)) / 2, steps);

	return slow * wave(row, column, 1, 1) + fast * wave(row, column, 3, 2);
}

/* The thread that owns a row. */
static int owner(int row)
{
	int thread = (int)((long)(row - 1) * THREADS / size);

	while (thread + 1 < THREADS && first_of(thread + 1) <= row)
		thread++;
	return thread;
}

/* Copies one row of another thread, which does not change it before the next barrier. */
static void get_row(double *to, int row)
{
	int thread = owner(row);

	upc_memget(to, strips[thread].now + (size_t)(row - first_of(thread) + 1) * (size + 2), row_bytes());
}

static void get_ghosts(double *now)
{
	if (last < first)
		return;
	if (first > 1)
		get_row(now, first - 1);
	if (last < size)
		get_row(now + (size_t)(last - first + 2) * (size + 2), last + 1);
}

__attribute__((noinline)) static void relax_row(double *out, const double *here)
{
	const double *up = here - (size + 2), *down = here + (size + 2);

	for (int column = 1; column <= size; column++)
		out[column] = 0.25 * (up[column] + down[column] + here[column - 1] + here[column + 1]);
}

__attribute__((noinline)) static void relax(double *next, const double *now)
{
#pragma omp parallel for
	for (int row = 1; row <= last - first + 1; row++)
		relax_row(next + (size_t)row * (size + 2), now + (size_t)row * (size + 2));
}

static void step(void)
{
	struct strip mine = strips[MYTHREAD];

	get_ghosts((double *)mine.now);
	relax((double *)mine.next, (double *)mine.now);
	upc_barrier; /* now all threads have copied the old rows that they need */
	strips[MYTHREAD].now = mine.next;
	strips[MYTHREAD].next = mine.now;
	upc_barrier;
}

static void start(void)
{
	size_t bytes;

	first = first_of(MYTHREAD);
	last = first_of(MYTHREAD + 1) - 1;
	bytes = row_bytes() * (last - first + 3);
	strips[MYTHREAD].now = upc_alloc(bytes);
	strips[MYTHREAD].next = upc_alloc(bytes);
	upc_memset(strips[MYTHREAD].now, 0, bytes);
	upc_memset(strips[MYTHREAD].next, 0, bytes);
	for (int row = first; row <= last; row++) {
		double *now = (double *)strips[MYTHREAD].now + (size_t)(row - first + 1) * (size + 2);

		for (int column = 1; column <= size; column++)
			now[column] = exact(row, column, 0);
	}
	upc_barrier;
}

static double largest_error(int steps)
{
	static shared double errors[THREADS], largest;
	const double *now = (const double *)strips[MYTHREAD].now;
	double error = 0;

#pragma omp parallel for reduction(max : error)
	for (int row = first; row <= last; row++) {
		for (int column = 1; column <= size; column++)
			error = fmax(error, fabs(now[(size_t)(row - first + 1) * (size + 2) + column] -
						    exact(row, column, steps)));
	}
	errors[MYTHREAD] = error;
	upc_all_reduceD(&largest, errors, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	return largest;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 500;
	double error;

	size = argc > 2 ? atoi(argv[2]) : 1400;
	if (steps < 1 || size < 1 || size > 20000) {
		if (MYTHREAD == 0)
			fputs("usage: plate [STEPS [SIZE]], STEPS >= 1, 1 <= SIZE <= 20000\n", stderr);
		return 2;
	}
	start();
	for (int i = 0; i < steps; i++)
		step();
	error = largest_error(steps);
	if (MYTHREAD == 0)
		printf("plate: %d UPC threads, %d steps of %dx%d, largest error %.2g: %s\n", THREADS, steps, size,
			size, error, error < 1e-10 ? "verified" : "WRONG");
	return error < 1e-10 ? 0 : 1;
}
