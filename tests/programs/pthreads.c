/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program's own threads beside an OpenMP region: three threads burn 500 ms each (or the given milliseconds), the
 * two of the region 300 ms each.
 */
#include <pthread.h>
#include <stdlib.h>

#include "burn.h"

static NOINLINE uint64_t burn_in_thread(double ms)
{
	return burn_ms(ms);
}

static NOINLINE uint64_t burn_in_region(double ms)
{
	return burn_ms(ms);
}

static double thread_ms = 500;

static void *worker(void *unused)
{
	burn_in_thread(thread_ms);
	return unused;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		thread_ms = atof(argv[1]);
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
#pragma omp parallel num_threads(2)
	burn_in_region(300);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
