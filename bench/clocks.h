/* SPDX-License-Identifier: BSD-3-Clause */
/* The clocks with which the benchmark programs measure themselves. */
#ifndef BENCH_CLOCKS_H
#define BENCH_CLOCKS_H

#include <time.h>

static inline double clock_seconds(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline double wall_seconds(void)
{
	return clock_seconds(CLOCK_MONOTONIC);
}

static inline double process_cpu_seconds(void)
{
	return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
