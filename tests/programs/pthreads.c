/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of the program's own beside an OpenMP region: three burn 500 ms each, the region's two 300 ms each. */
#include <pthread.h>

#include "burn.h"

static NOINLINE uint64_t burn_in_thread(double ms)
{
	return burn_ms(ms);
}

static NOINLINE uint64_t burn_in_region(double ms)
{
	return burn_ms(ms);
}

static void *worker(void *unused)
{
	(void)unused;
	burn_in_thread(500);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
#pragma omp parallel num_threads(2)
	burn_in_region(300);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
