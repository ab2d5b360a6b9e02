/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs of bench/tune.sh share: the time of their loops. Their results go to standard output, which must
 * not depend on the number of threads; times go to standard error. */
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

/* The time since `begin`, printed by one thread; after a barrier. */
static void print_seconds(double begin)
{
	if (MYTHREAD == 0)
		fprintf(stderr, "seconds %.6f\n", seconds() - begin);
}

/* A number that looks random, the same for the same i. */
#define MIXED(i) ((unsigned)(i)*2654435761u >> 8)
#endif
