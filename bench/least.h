/* SPDX-License-Identifier: BSD-3-Clause */
/* Nanoseconds of a call, the minimum of many rounds. MEASURE prints the line `NAME NANOSECONDS`. */
#ifndef HEDDLE_BENCH_LEAST_H
#define HEDDLE_BENCH_LEAST_H

#include <stdio.h>
#include <time.h>

#define ROUNDS 200
#define CALLS 2000

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#define MEASURE(name, statement)                                  \
	do {                                                      \
		double least = 1e18;                              \
		for (int round = 0; round < ROUNDS; round++) {    \
			double begun = now_ns();                  \
			for (int i = 0; i < CALLS; i++)           \
				statement;                        \
			double each = (now_ns() - begun) / CALLS; \
			least = each < least ? each : least;      \
		}                                                 \
		printf("%s %.1f\n", name, least);                 \
	} while (0)

#endif
