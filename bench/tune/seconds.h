/* SPDX-License-Identifier: BSD-3-Clause */
/* For the programs of bench/tune.sh: the time of their loops. Results are printed to standard output and must not
 * depend on the number of threads; times are printed to standard error. */
#ifndef SECONDS_H
#define SECONDS_H
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc.h>

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

/* Prints the time since `begin`, by one thread, after a barrier. */
static void print_seconds(double begin)
{
	if (MYTHREAD == 0)
		fprintf(stderr, "seconds %.6f\n", seconds() - begin);
}

/* A pseudo-random number that depends only on i. */
#define MIXED(i) ((unsigned)(i)*2654435761u >> 8)
#endif
