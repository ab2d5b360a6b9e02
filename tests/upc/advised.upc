/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A loop that gets elements at random, 10 times; -DTUNED: through a cache. Prints the milliseconds that the loop took,
 * of all threads together.
 */
#include <stdio.h>
#include <time.h>
#include <upc_relaxed.h>
#include <heddle/upc_cache.h>

#define COUNT 16000
#define TIMES 10

static shared double value[COUNT * THREADS];
static shared double spent[THREADS];
static double sum;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static void gather(void)
{
#ifdef TUNED
	heddle_cache_t *cache = heddle_cache_open(value, COUNT, HEDDLE_CACHE_ARBITRARY);

	upc_forall (int i = 0; i < COUNT; i++; i)
		heddle_cache_hint(cache, i * 7919UL % (COUNT * THREADS));
	heddle_cache_start_download(cache);
	heddle_cache_finish_download(cache);
	upc_forall (int i = 0; i < COUNT; i++; i)
		sum += heddle_cache_at(cache, i * 7919UL % (COUNT * THREADS), double);
	heddle_cache_close(cache);
#else
	upc_forall (int i = 0; i < COUNT; i++; i)
		sum += value[i * 7919UL % (COUNT * THREADS)];
#endif
}

int main(void)
{
	double start;

	upc_forall (int i = 0; i < COUNT * THREADS; i++; &value[i])
		value[i] = 1;
	for (int i = 0; i < TIMES; i++) {
		upc_barrier;
		start = now();
		gather();
		spent[MYTHREAD] += now() - start;
	}
	upc_barrier;
	for (int i = 1; MYTHREAD == 0 && i < THREADS; i++)
		spent[0] += spent[i];
	if (MYTHREAD == 0)
		printf("loop %.3f ms\n", spent[0]);
	return sum != TIMES * (COUNT / THREADS + (MYTHREAD < COUNT % THREADS));
}
