/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The products x[i] * y[2i] of two shared vectors, and their sum, in UPC.
 *
 *     dot [-n UPC-THREADS] [ELEMENTS]
 *
 * Both vectors are distributed over the threads element by element, so most y[2i] belong to other threads. Numbers are
 * small integers, so the sum is exact.
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_collective.h>
#include <heddle/upc_cache.h>

#define CHUNK 65536 /* iterations of a tile */

static void multiply(int n, shared double *x, shared double *y)
{
	heddle_cache_t *y_cache = heddle_cache_open(y, CHUNK, HEDDLE_CACHE_ARBITRARY);
	for (size_t tile = 0, tile_end; tile < (size_t)n; tile = tile_end) {
		tile_end = heddle_cache_tile_end(tile, CHUNK, n);
		if (heddle_cache_wants_hints(y_cache)) {
			upc_forall (int i = tile; i < (int)tile_end; i++; &x[i])
				heddle_cache_hint(y_cache, i * 2);
		}
		heddle_cache_start_download(y_cache);
		heddle_cache_finish_download(y_cache);
		upc_forall (int i = tile; i < (int)tile_end; i++; &x[i])
			x[i] = x[i] * heddle_cache_at(y_cache, i * 2, double);
	}
	heddle_cache_close(y_cache);
}

static double sum(int n, shared double *x)
{
	static shared double parts[THREADS], whole;
	double part = 0;

	upc_forall (int i = 0; i < n; i++; &x[i])
		part += x[i];
	parts[MYTHREAD] = part;
	upc_all_reduceD(&whole, parts, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	return whole;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000000;
	shared double *x, *y;
	double expected = 0, found;

	if (n < 1 || n > 500000000) {
		if (MYTHREAD == 0)
			fputs("usage: dot [ELEMENTS], 1 <= ELEMENTS <= 500000000\n", stderr);
		return 2;
	}
	x = (shared double *)upc_all_alloc(n, sizeof(double));
	y = (shared double *)upc_all_alloc(2 * n, sizeof(double));
	upc_forall (int i = 0; i < n; i++; &x[i])
		x[i] = i % 100;
	upc_forall (int i = 0; i < 2 * n; i++; &y[i])
		y[i] = i % 1000;
	upc_barrier;
	multiply(n, x, y);
	found = sum(n, x);
	for (int i = 0; i < n; i++)
		expected += (double)(i % 100) * (2 * i % 1000);
	if (MYTHREAD == 0)
		printf("dot: %d UPC threads, %d elements, sum %.0f: %s\n", THREADS, n, found,
			found == expected ? "verified" : "WRONG");
	return found == expected ? 0 : 1;
}
