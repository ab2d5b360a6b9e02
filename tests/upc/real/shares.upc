/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernel, gets, puts and barriers, each timed with upc_ticks_now, to compare with a measurement. Each thread prints a
 * line with its number and the time of each, in ns; threads with higher numbers compute longer, so that the others
 * wait.
 *
 *     shares [SECONDS]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#define PART 131072 /* doubles of a thread */
static shared [PART] double field[PART * THREADS];
static double own[PART];
static uint64_t times[4];

enum { KERNEL, GET, PUT, BARRIER };

__attribute__((noinline)) static void kernel(int passes)
{
	for (int pass = 0; pass < passes; pass++) {
#pragma omp parallel for
		for (int i = 0; i < PART; i++)
			own[i] = sqrt(own[i] + i);
	}
}

__attribute__((noinline)) static void get_all(int from)
{
	for (int i = 0; i < 96; i++)
		upc_memget(own, &field[(size_t)from * PART], sizeof own);
}

__attribute__((noinline)) static void put_all(int to)
{
	for (int i = 0; i < 96; i++)
		upc_memput(&field[(size_t)to * PART], own, sizeof own);
}

__attribute__((noinline)) static void meet(void)
{
	upc_barrier;
}

static uint64_t elapsed(int what, uint64_t start)
{
	uint64_t now = upc_ticks_to_ns(upc_ticks_now());

	times[what] += now - start;
	return now;
}

int main(int argc, char **argv)
{
	static shared int done;
	uint64_t start = upc_ticks_to_ns(upc_ticks_now()), now = start;
	double seconds = argc > 1 ? atof(argv[1]) : 2;

	while (!done) {
		kernel(40 * (MYTHREAD + 1));
		now = elapsed(KERNEL, now);
		get_all((MYTHREAD + 1) % THREADS);
		now = elapsed(GET, now);
		meet();
		now = elapsed(BARRIER, now);
		put_all((MYTHREAD + 1) % THREADS);
		now = elapsed(PUT, now);
		if (MYTHREAD == 0)
			done = now - start > seconds * 1e9;
		meet();
		now = elapsed(BARRIER, now);
	}
	printf("%d kernel %lu get %lu put %lu barrier %lu\n", MYTHREAD, times[KERNEL], times[GET], times[PUT],
		times[BARRIER]);
	return 0;
}
