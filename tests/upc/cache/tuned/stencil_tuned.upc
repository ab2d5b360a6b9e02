/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat in a square plate with cold edges, in UPC.
 *
 *     stencil [-n UPC-THREADS] [STEPS [SIZE]]
 *
 * Points are distributed over the threads in blocks of some rows. A step reads a point's four neighbours where they
 * are: those of a block's first and last rows belong to other threads, element by element. plate.upc copies whole rows.
 * The plate starts as a sum of two waves; a step scales each by a known factor, so every value can be verified.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_collective.h>
#include <heddle/upc_cache.h>

#define CHUNK 65536 /* iterations of a tile */

#define BLOCK 4096

static shared[BLOCK] double *now, *next; /* row by row, edges included */
static int size;                         /* inner points per side; the edges are 0 */
static int width;                        /* points of a row */

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

static int is_inside(int point)
{
	return point % width >= 1 && point % width <= size;
}

static void relax(void)
{
	heddle_cache_t *now_cache = heddle_cache_open(now, CHUNK, HEDDLE_CACHE_ARBITRARY);
	if (heddle_cache_is_direct(now_cache)) {
		upc_forall (int i = width; i < width * (size + 1); i++; &next[i]) {
			if (is_inside(i))
				next[i] = 0.25 * (now[i - width] + now[i - 1] + now[i + 1] + now[i + width]);
		}
	} else {
		for (size_t tile = width, tile_end; tile < (size_t)(width * (size + 1)); tile = tile_end) {
			tile_end = heddle_cache_tile_end(tile, CHUNK, width * (size + 1));
			if (heddle_cache_wants_hints(now_cache)) {
				upc_forall (int i = tile; i < (int)tile_end; i++; &next[i]) {
					if (is_inside(i)) {
						heddle_cache_hint(now_cache, i - width);
						heddle_cache_hint(now_cache, i - 1);
						heddle_cache_hint(now_cache, i + 1);
						heddle_cache_hint(now_cache, i + width);
					}
				}
			}
			heddle_cache_start_download(now_cache);
			heddle_cache_finish_download(now_cache);
			upc_forall (int i = tile; i < (int)tile_end; i++; &next[i]) {
				if (is_inside(i))
					next[i] = 0.25 * (heddle_cache_at(now_cache, i - width, double) +
								 heddle_cache_at(now_cache, i - 1, double) +
								 heddle_cache_at(now_cache, i + 1, double) +
								 heddle_cache_at(now_cache, i + width, double));
			}
		}
	}
	heddle_cache_close(now_cache);
}

static void step(void)
{
	shared[BLOCK] double *old = now;

	relax();
	upc_barrier;
	now = next;
	next = old;
}

static void start(void)
{
	int blocks = width * width / BLOCK + 1;

	now = (shared[BLOCK] double *)upc_all_alloc(blocks, BLOCK * sizeof(double));
	next = (shared[BLOCK] double *)upc_all_alloc(blocks, BLOCK * sizeof(double));
	upc_forall (int i = 0; i < width * width; i++; &now[i]) {
		now[i] = i >= width && i < width * (size + 1) && is_inside(i) ? exact(i / width, i % width, 0) : 0;
		next[i] = 0;
	}
	upc_barrier;
}

static double largest_error(int steps)
{
	static shared double errors[THREADS], largest;
	double error = 0;

	upc_forall (int i = width; i < width * (size + 1); i++; &now[i]) {
		if (is_inside(i))
			error = fmax(error, fabs(now[i] - exact(i / width, i % width, steps)));
	}
	errors[MYTHREAD] = error;
	upc_all_reduceD(&largest, errors, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	return largest;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 100;
	double error;

	size = argc > 2 ? atoi(argv[2]) : 500;
	width = size + 2;
	if (steps < 1 || size < 1 || size > 20000) {
		if (MYTHREAD == 0)
			fputs("usage: stencil [STEPS [SIZE]], STEPS >= 1, 1 <= SIZE <= 20000\n", stderr);
		return 2;
	}
	start();
	for (int i = 0; i < steps; i++)
		step();
	error = largest_error(steps);
	if (MYTHREAD == 0)
		printf("stencil: %d UPC threads, %d steps of %dx%d, largest error %.2g: %s\n", THREADS, steps, size,
			size, error, error < 1e-10 ? "verified" : "WRONG");
	return error < 1e-10 ? 0 : 1;
}
