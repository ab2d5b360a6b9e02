/* SPDX-License-Identifier: BSD-3-Clause */
/* main -> solve -> parallel: share -> burn_share; and each share creates a task: job -> burn_job. Prints the time of
 * both burn functions, in ns. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/ompt_minimal/runtime.h"

#define NOINLINE __attribute__((noinline))
#define STAY __asm__ volatile("" ::: "memory")

static volatile unsigned long sink;

static NOINLINE void burn(long milliseconds)
{
	struct timespec begin, now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		for (int i = 0; i < 20000; i++)
			sink = sink * 3 + 1;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < milliseconds);
}

static NOINLINE void burn_share(long milliseconds)
{
	burn(milliseconds);
	STAY;
}

static NOINLINE void burn_job(long milliseconds)
{
	burn(milliseconds);
	sink = 1; /* otherwise compilers merge this function with the previous one */
	STAY;
}

static void job(void *argument)
{
	burn_job(*(long *)argument);
	STAY;
}

static void share(void *argument)
{
	burn_share(*(long *)argument);
	minimal_task(job, argument);
	STAY;
}

static NOINLINE void solve(long milliseconds)
{
	minimal_parallel(share, &milliseconds);
	STAY;
}

int main(int argc, char **argv)
{
	solve(argc > 1 ? atol(argv[1]) : 100);
	puts("done");
	return 0;
}
