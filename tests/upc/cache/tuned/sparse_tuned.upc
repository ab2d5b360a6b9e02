/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of a random sparse matrix and a vector, in UPC.
 *
 *     sparse [-n UPC-THREADS] [ROWS [PRODUCTS]]
 *
 * Each row has ROW entries, on the thread that has the row's element of the result. The elements of the vector that a
 * row needs are anywhere: nearly all of them belong to other threads, and are read one by one. Numbers are integers
 * below 2^53, so the result is exact; each thread compares its part with that of a serial computation.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_collective.h>
#include <heddle/upc_cache.h>

#define CHUNK 65536 /* iterations of a tile */

#define ROW 8

static int rows;
static shared[ROW] int *column;
static shared[ROW] double *value;
static shared double *x, *y;

/* Depends on `index` only: the matrix is the same for any number of threads. */
static int random_below(uint64_t index, int limit)
{
	uint64_t z = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (int)((z ^ z >> 31) % (uint64_t)limit);
}

static int column_of(int entry)
{
	return random_below(2 * (uint64_t)entry, rows);
}

static double value_of(int entry)
{
	return random_below(2 * (uint64_t)entry + 1, 100);
}

static void multiply(void)
{
	heddle_cache_t *x_cache = heddle_cache_open(x, CHUNK, HEDDLE_CACHE_ARBITRARY);
	for (size_t tile = 0, tile_end; tile < (size_t)rows; tile = tile_end) {
		tile_end = heddle_cache_tile_end(tile, CHUNK, rows);
		if (heddle_cache_wants_hints(x_cache)) {
			upc_forall (int i = tile; i < (int)tile_end; i++; &y[i]) {
				for (int k = 0; k < ROW; k++)
					heddle_cache_hint(x_cache, column[i * ROW + k]);
			}
		}
		heddle_cache_start_download(x_cache);
		heddle_cache_finish_download(x_cache);
		upc_forall (int i = tile; i < (int)tile_end; i++; &y[i]) {
			double sum = 0;

			for (int k = 0; k < ROW; k++)
				sum += value[i * ROW + k] * heddle_cache_at(x_cache, column[i * ROW + k], double);
			y[i] = sum;
		}
	}
	heddle_cache_close(x_cache);
}

/* Makes the next vector: numbers stay small. */
static void reduce(void)
{
	upc_forall (int i = 0; i < rows; i++; &x[i])
		x[i] = fmod(y[i], 1000);
}

static void start(void)
{
	column = (shared[ROW] int *)upc_all_alloc(rows, ROW * sizeof(int));
	value = (shared[ROW] double *)upc_all_alloc(rows, ROW * sizeof(double));
	x = (shared double *)upc_all_alloc(rows, sizeof(double));
	y = (shared double *)upc_all_alloc(rows, sizeof(double));
	upc_forall (int i = 0; i < rows * ROW; i++; &column[i]) {
		column[i] = column_of(i);
		value[i] = value_of(i);
	}
	upc_forall (int i = 0; i < rows; i++; &x[i])
		x[i] = i % 1000;
	upc_barrier;
}

/* Returns true if the elements of this thread equal those of a serial computation. */
static int is_right(int products)
{
	double *serial = malloc(sizeof *serial * rows), *result = malloc(sizeof *result * rows);
	int right = serial != NULL && result != NULL;

	for (int i = 0; i < rows && right; i++)
		serial[i] = i % 1000;
	for (int product = 0; product < products && right; product++) {
		for (int i = 0; i < rows; i++) {
			result[i] = 0;
			for (int k = 0; k < ROW; k++)
				result[i] += value_of(i * ROW + k) * serial[column_of(i * ROW + k)];
		}
		for (int i = 0; i < rows; i++)
			serial[i] = fmod(result[i], 1000);
	}
	for (int i = 0; i < rows && right; i++)
		right &= (int)upc_threadof(&x[i]) != MYTHREAD || x[i] == serial[i];
	free(serial);
	free(result);
	return right;
}

static int all(int mine)
{
	static shared int parts[THREADS], least;

	parts[MYTHREAD] = mine;
	upc_all_reduceI(&least, parts, UPC_MIN, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	return least;
}

int main(int argc, char **argv)
{
	int products = argc > 2 ? atoi(argv[2]) : 10, right;

	rows = argc > 1 ? atoi(argv[1]) : 100000;
	if (rows < 1 || rows > 100000000 || products < 1) {
		if (MYTHREAD == 0)
			fputs("usage: sparse [ROWS [PRODUCTS]], 1 <= ROWS <= 100000000, PRODUCTS >= 1\n", stderr);
		return 2;
	}
	start();
	for (int product = 0; product < products; product++) {
		multiply();
		upc_barrier;
		reduce();
		upc_barrier;
	}
	right = all(is_right(products));
	if (MYTHREAD == 0)
		printf("sparse: %d UPC threads, %d products with %d rows of %d: %s\n", THREADS, products, rows, ROW,
			right ? "verified" : "WRONG");
	return right ? 0 : 1;
}
