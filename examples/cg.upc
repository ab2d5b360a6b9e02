/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conjugate gradients on a sparse matrix, in UPC and OpenMP: what `./dev demo` measures.
 *
 *     cg [-n UPC-THREADS] [BLOCKS]
 *
 * The matrix is that of a ring of points held together by springs: each is tied to its NEAR neighbours on either side,
 * and every 64th to one far away. Blocks of rows are distributed cyclically over the UPC threads; the rows of a block
 * are distributed over OpenMP threads. The search direction is a shared vector: a thread gets the elements of other
 * threads that its rows need, in runs (upc_memget) and point by point. The solution is known.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_collective.h>

#define ROWS 4096 /* per block */
#define NEAR 12
#define FAR 64
#define WIDTH (2 * NEAR + 2) /* entries per row, at most */
#define STIFF 0.02           /* stiffness of each point's own spring; smaller values take more steps */

static int blocks, size;

/* This UPC thread's blocks: the entries of their rows, and vectors of which only these rows are used. */
static int *column;
static double *value, *x, *r, *q;

/* The search direction: shared by all threads, and the part that this thread has copied. */
static shared [ROWS] double *direction;
static double *whole;

static double solution(int row)
{
	return 1.0 + row % 7;
}

static int wrapped(int row)
{
	return (row + size) % size;
}

/* The point of the opposite block to which every 64th point is tied. */
static int partner(int row)
{
	return (blocks - 1 - row / ROWS) * ROWS + row % ROWS;
}

static double sum_of_all(double mine)
{
	static shared double parts[THREADS], sum;

	parts[MYTHREAD] = mine;
	upc_all_reduceD(&sum, parts, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	return sum;
}

static void get_parts(int block)
{
	int first = block * ROWS, before = wrapped(first - NEAR), after = wrapped(first + ROWS);

	upc_memget(&whole[before], &direction[before], NEAR * sizeof(double));
	upc_memget(&whole[first], &direction[first], ROWS * sizeof(double));
	upc_memget(&whole[after], &direction[after], NEAR * sizeof(double));
	for (int row = first; row < first + ROWS; row += FAR)
		whole[partner(row)] = direction[partner(row)];
}

__attribute__((noinline)) static double multiply_row(int row)
{
	double sum = 0;

	for (int i = 0; i < WIDTH; i++)
		sum += value[row * WIDTH + i] * whole[column[row * WIDTH + i]];
	return sum;
}

/* q = matrix * direction; returns direction * q. */
__attribute__((noinline)) static double multiply(int block)
{
	double sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int row = block * ROWS; row < (block + 1) * ROWS; row++) {
		q[row] = multiply_row(row);
		sum += whole[row] * q[row];
	}
	return sum;
}

/* A step along the direction; returns the square of the remaining residual. */
__attribute__((noinline)) static double advance(int block, double alpha)
{
	double sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int row = block * ROWS; row < (block + 1) * ROWS; row++) {
		x[row] += alpha * whole[row];
		r[row] -= alpha * q[row];
		sum += r[row] * r[row];
	}
	return sum;
}

__attribute__((noinline)) static void turn(int block, double beta)
{
	double *mine = (double *)&direction[block * ROWS];

#pragma omp parallel for
	for (int row = 0; row < ROWS; row++)
		mine[row] = r[block * ROWS + row] + beta * mine[row];
}

/* The entries of a row, and its product with the known solution. */
static void fill_row(int row)
{
	int *to = &column[row * WIDTH];
	double *entry = &value[row * WIDTH];
	int count = 0;

	for (int far = 1; far <= NEAR; far++) {
		to[count++] = wrapped(row - far);
		to[count++] = wrapped(row + far);
	}
	to[count++] = row % FAR == 0 ? partner(row) : row;
	for (int i = 0; i < count; i++)
		entry[i] = to[i] == row ? 0 : -1;
	to[count] = row;
	entry[count] = STIFF + 2 * NEAR + (to[count - 1] != row);
	r[row] = 0;
	for (int i = 0; i <= count; i++)
		r[row] += entry[i] * solution(to[i]);
}

static void *room(size_t count, size_t bytes)
{
	void *got = calloc(count, bytes);

	if (got == NULL) {
		fputs("cg: out of memory\n", stderr);
		upc_global_exit(1);
	}
	return got;
}

/* Rows of other threads are never touched, so they use no memory. */
static void start(void)
{
	column = room((size_t)size * WIDTH, sizeof *column);
	value = room((size_t)size * WIDTH, sizeof *value);
	x = room(size, sizeof *x);
	r = room(size, sizeof *r);
	q = room(size, sizeof *q);
	whole = room(size, sizeof *whole);
	direction = upc_all_alloc(blocks, ROWS * sizeof(double));
}

int main(int argc, char **argv)
{
	double rest = 0, error = 0, enough;
	int step;

	blocks = argc > 1 ? atoi(argv[1]) : 16;
	size = blocks * ROWS;
	if (blocks < 2 || blocks > 1000) {
		if (MYTHREAD == 0)
			fputs("usage: cg [BLOCKS], 2 <= BLOCKS <= 1000\n", stderr);
		return 2;
	}
	start();
	upc_forall (int block = 0; block < blocks; block++; &direction[block * ROWS]) {
		for (int row = block * ROWS; row < (block + 1) * ROWS; row++)
			fill_row(row);
		turn(block, 0);
		rest += advance(block, 0);
	}
	rest = sum_of_all(rest);
	enough = 1e-24 * rest;
	for (step = 0; step < 1000 && rest > enough; step++) {
		double product = 0, left = 0;

		upc_forall (int block = 0; block < blocks; block++; &direction[block * ROWS]) {
			get_parts(block);
			product += multiply(block);
		}
		product = sum_of_all(product);
		upc_forall (int block = 0; block < blocks; block++; &direction[block * ROWS])
			left += advance(block, rest / product);
		left = sum_of_all(left);
		upc_forall (int block = 0; block < blocks; block++; &direction[block * ROWS])
			turn(block, left / rest);
		upc_barrier;
		rest = left;
	}
	upc_forall (int block = 0; block < blocks; block++; &direction[block * ROWS]) {
		for (int row = block * ROWS; row < (block + 1) * ROWS; row++)
			error += fabs(x[row] - solution(row));
	}
	error = sum_of_all(error) / size;
	if (MYTHREAD == 0)
		printf("cg: %d UPC threads, %d rows, %d steps, mean error %.2g: %s\n", THREADS, size, step, error,
			error < 1e-8 ? "verified" : "WRONG");
	return error < 1e-8 ? 0 : 1;
}
