/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plain [THREADS]: no OpenMP. Burns in nested functions of the main thread, or of each of THREADS pthreads; prints the
 * truth as truth.c does. The tests build it with and without frame pointers, and with less to burn (PERCENT).
 */
#include "burn.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define MAX_THREADS 64
#ifndef PERCENT
#define PERCENT 100
#endif
static _Atomic uint64_t near_ns, far_ns;
static volatile int one = 1;

static NOINLINE void burn_near(void)
{
	atomic_fetch_add(&near_ns, burn_ms(6 * PERCENT));
}

static NOINLINE void burn_far(int depth)
{
	if (depth == 0)
		atomic_fetch_add(&far_ns, burn_ms(12 * PERCENT));
	else
		burn_far(depth - one);
}

static NOINLINE void *worker(void *unused)
{
	(void)unused;
	burn_near();
	burn_far(20);
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 0;
	pthread_t thread[MAX_THREADS];

	if (threads == 0)
		worker(NULL);
	for (int i = 0; i < threads && i < MAX_THREADS; i++)
		pthread_create(&thread[i], NULL, worker, NULL);
	for (int i = 0; i < threads && i < MAX_THREADS; i++)
		pthread_join(thread[i], NULL);

	double all = (double)(near_ns + far_ns);
	print_share("burn_near", (double)near_ns, all);
	print_share("burn_far", (double)far_ns, all);
	fprintf(stderr, "process_cpu_ns %llu\n", (unsigned long long)process_cpu_ns());
	return 0;
}
