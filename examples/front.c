/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A wave front passes through a domain in OpenMP C: every thread works as much as the others, and yet they wait for
 * each other all the time. Why?
 *
 *     clang -O2 -g -fopenmp -o front front.c -lm
 *     heddle run --trace -o out -- ./front
 *     heddle report out --threads
 *     heddle report out --timeline --late
 *
 * Each thread owns a block of cells. Cells in the front need many more iterations than those at rest, and at each step
 * the front is in one thread's block: that thread is late, and all others wait for it at the barrier. In the next block
 * it is another thread. Over the run all threads have the same work and the same waiting, so a profile looks even; a
 * trace shows that the late thread changes. `./front cyclic` distributes the cells cyclically: then each thread has a
 * part of the front at any time.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 4096
#define FRONT 256   /* cells in the front */
#define AT_REST 200 /* iterations of a cell at rest; one in the front needs more */
#define IN_FRONT 8000

static double cells[CELLS];

/* Newton's iteration for a square root, more often than needed: the same result for any number of iterations. */
__attribute__((noinline)) static double relax(double value, int iterations)
{
	double root = value;
	for (int i = 0; i < iterations; i++) {
		root = (root + value / root) / 2;
		__asm__ volatile("" : "+x"(root));
	}
	return root;
}

static int iterations_of(int cell, int begin)
{
	int behind = (cell - begin + CELLS) % CELLS;
	return behind < FRONT ? IN_FRONT : AT_REST;
}

/* All steps: the front begins at cell 0 and passes the domain once. */
static void pass(int steps)
{
#pragma omp parallel
	for (int step = 0; step < steps; step++) {
		int begin = (int)((long)step * CELLS / steps);
#pragma omp for schedule(runtime)
		for (int cell = 0; cell < CELLS; cell++)
			cells[cell] += relax(cell + 1.0, iterations_of(cell, begin));
	}
}

int main(int argc, char **argv)
{
	int cyclic = argc > 1 && strcmp(argv[1], "cyclic") == 0;
	int steps = argc > 1 + cyclic ? atoi(argv[1 + cyclic]) : 100;
	double sum = 0, right = 0;

	if (steps < 1) {
		fprintf(stderr, "usage: front [cyclic] [STEPS]\n");
		return 1;
	}
	omp_set_schedule(omp_sched_static, cyclic ? 1 : 0);
	pass(steps);
	for (int cell = 0; cell < CELLS; cell++) {
		sum += cells[cell];
		right += steps * sqrt(cell + 1.0);
	}
	int correct = fabs(sum / right - 1) < 1e-12;
	printf("front: %d steps, %s: %s\n", steps, cyclic ? "dealt out" : "in blocks", correct ? "verified" : "WRONG");
	return !correct;
}
