/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Multigrid for Poisson's equation on a square, in UPC.
 *
 *     mg [-n UPC-THREADS] [LEVELS [CYCLES]]
 *
 * The finest grid has 2^LEVELS - 1 inner points per side, each coarser one half as many, the coarsest a single one. The
 * rows of every grid are distributed in runs. Coarse grids have fewer rows than there are threads, so some threads
 * wait: with many threads the profile shows barriers there. The solution is a polynomial that solves the difference
 * equation exactly.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_collective.h>

#define MAX_LEVELS 13

/* A row of one grid, edges included, with affinity to its owner. */
struct row {
	shared [] double *u, *next, *f, *rest;
};

struct grid {
	int size;                /* inner points per side; the edges are 0 */
	int first, last;         /* inner rows of this thread */
	shared struct row *rows; /* size + 2; element i points to row i, whichever thread owns it */
};

static struct grid grids[MAX_LEVELS];

/* Copies of up to three neighbouring rows of other threads. */
static double *got[3];

static double solution(double x, double y)
{
	return x * (1 - x) * y * (1 - y);
}

/* h^2 times minus the Laplacian of the solution. */
static double right_side(double x, double y, double h)
{
	return 2 * h * h * (x * (1 - x) + y * (1 - y));
}

static int first_of(const struct grid *grid, int thread)
{
	return 1 + (int)((long)grid->size * thread / THREADS);
}

/* A row to read: in place if it is this thread's, else a copy, which is valid until two rows further. */
static const double *row_at(const struct grid *grid, shared [] double *row, int i)
{
	double *copy = got[i % 3];

	if (upc_threadof(row) == (size_t)MYTHREAD)
		return (double *)row;
	upc_memget(copy, row, sizeof(double) * (grid->size + 2));
	return copy;
}

/* One sweep of damped Jacobi; `next` becomes `u`. */
static void smooth(struct grid *grid)
{
	for (int i = grid->first; i <= grid->last; i++) {
		const double *above = row_at(grid, grid->rows[i - 1].u, i - 1);
		const double *below = row_at(grid, grid->rows[i + 1].u, i + 1);
		const double *here = (double *)grid->rows[i].u, *f = (double *)grid->rows[i].f;
		double *next = (double *)grid->rows[i].next;

		for (int j = 1; j <= grid->size; j++)
			next[j] = 0.2 * here[j] +
				  0.2 * (above[j] + below[j] + here[j - 1] + here[j + 1] + f[j]);
	}
	upc_barrier;
	for (int i = grid->first; i <= grid->last; i++) {
		shared [] double *old = grid->rows[i].u;

		grid->rows[i].u = grid->rows[i].next;
		grid->rows[i].next = old;
	}
	upc_barrier;
}

static void find_rest(struct grid *grid)
{
	for (int i = grid->first; i <= grid->last; i++) {
		const double *above = row_at(grid, grid->rows[i - 1].u, i - 1);
		const double *below = row_at(grid, grid->rows[i + 1].u, i + 1);
		const double *here = (double *)grid->rows[i].u, *f = (double *)grid->rows[i].f;
		double *rest = (double *)grid->rows[i].rest;

		for (int j = 1; j <= grid->size; j++)
			rest[j] = f[j] - 4 * here[j] + above[j] + below[j] + here[j - 1] + here[j + 1];
	}
	upc_barrier;
}

/* The residual becomes the right-hand side of the coarser grid; 4 is the ratio of their squared step sizes. */
static void restrict_to(struct grid *coarse, const struct grid *fine)
{
	for (int i = coarse->first; i <= coarse->last; i++) {
		const double *above = row_at(fine, fine->rows[2 * i - 1].rest, 2 * i - 1);
		const double *here = row_at(fine, fine->rows[2 * i].rest, 2 * i);
		const double *below = row_at(fine, fine->rows[2 * i + 1].rest, 2 * i + 1);
		double *f = (double *)coarse->rows[i].f, *u = (double *)coarse->rows[i].u;

		for (int j = 1; j <= coarse->size; j++) {
			int k = 2 * j;

			u[j] = 0;
			f[j] = 4 *
			       (4 * here[k] + 2 * (here[k - 1] + here[k + 1] + above[k] + below[k]) + above[k - 1] +
				       above[k + 1] + below[k - 1] + below[k + 1]) /
			       16;
		}
	}
	upc_barrier;
}

/* Adds the coarse grid's correction; between its points, the mean of the nearest. */
static void correct(struct grid *fine, const struct grid *coarse)
{
	for (int i = fine->first; i <= fine->last; i++) {
		const double *above = row_at(coarse, coarse->rows[i / 2].u, i / 2);
		const double *below = row_at(coarse, coarse->rows[(i + 1) / 2].u, (i + 1) / 2);
		double *u = (double *)fine->rows[i].u;

		for (int j = 1; j <= fine->size; j++)
			u[j] += 0.25 * (above[j / 2] + above[(j + 1) / 2] + below[j / 2] + below[(j + 1) / 2]);
	}
	upc_barrier;
}

static void cycle(int level)
{
	struct grid *grid = &grids[level];

	if (level == 0) {
		if (grid->first <= grid->last)
			grid->rows[1].u[1] = grid->rows[1].f[1] / 4;
		upc_barrier;
		return;
	}
	smooth(grid);
	smooth(grid);
	find_rest(grid);
	restrict_to(&grids[level - 1], grid);
	cycle(level - 1);
	correct(grid, &grids[level - 1]);
	smooth(grid);
	smooth(grid);
}

static shared [] double *new_row(const struct grid *grid)
{
	shared [] double *row = upc_alloc(sizeof(double) * (grid->size + 2));

	upc_memset(row, 0, sizeof(double) * (grid->size + 2));
	return row;
}

/* The upper and lower edge belong to the first and last thread with any rows. */
static void start_grid(struct grid *grid, int level)
{
	grid->size = (2 << level) - 1;
	grid->first = first_of(grid, MYTHREAD);
	grid->last = first_of(grid, MYTHREAD + 1) - 1;
	grid->rows = upc_all_alloc(grid->size + 2, sizeof(struct row));
	for (int i = grid->first - (grid->first == 1); i <= grid->last + (grid->last == grid->size); i++) {
		if (grid->first > grid->last)
			break;
		grid->rows[i].u = new_row(grid);
		grid->rows[i].next = new_row(grid);
		grid->rows[i].f = new_row(grid);
		grid->rows[i].rest = new_row(grid);
	}
	upc_barrier;
}

static void start(int levels)
{
	struct grid *finest = &grids[levels - 1];
	double h;

	for (int level = 0; level < levels; level++)
		start_grid(&grids[level], level);
	h = 1.0 / (finest->size + 1);
	for (int i = 0; i < 3; i++)
		got[i] = malloc(sizeof(double) * (finest->size + 2));
	for (int i = finest->first; i <= finest->last; i++) {
		double *f = (double *)finest->rows[i].f;

		for (int j = 1; j <= finest->size; j++)
			f[j] = right_side(j * h, i * h, h);
	}
}

static double largest_error(const struct grid *grid)
{
	static shared double errors[THREADS], largest;
	double error = 0, h = 1.0 / (grid->size + 1);

	for (int i = grid->first; i <= grid->last; i++) {
		const double *u = (double *)grid->rows[i].u;

		for (int j = 1; j <= grid->size; j++)
			error = fmax(error, fabs(u[j] - solution(j * h, i * h)));
	}
	errors[MYTHREAD] = error;
	upc_all_reduceD(&largest, errors, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	return largest;
}

int main(int argc, char **argv)
{
	int levels = argc > 1 ? atoi(argv[1]) : 10;
	int cycles = argc > 2 ? atoi(argv[2]) : 20;
	double before, error, wanted;

	if (levels < 2 || levels > MAX_LEVELS || cycles < 1) {
		if (MYTHREAD == 0)
			fprintf(stderr, "usage: mg [LEVELS [CYCLES]], 2 <= LEVELS <= %d\n", MAX_LEVELS);
		return 2;
	}
	start(levels);
	before = largest_error(&grids[levels - 1]);
	for (int i = 0; i < cycles; i++)
		cycle(levels - 1);
	error = largest_error(&grids[levels - 1]);
	/* Each cycle removes at least two thirds of the error, whatever the size of the grid. */
	wanted = fmax(before * pow(1.0 / 3, cycles), 1e-11);
	if (MYTHREAD == 0)
		printf("mg: %d UPC threads, %d cycles on %d levels, largest error %.2g -> %.2g: %s\n", THREADS, cycles,
			levels, before, error, error < wanted ? "verified" : "WRONG");
	return error < wanted ? 0 : 1;
}
