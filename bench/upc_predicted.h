/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Included before a tuned program: adds a phase "loop" from the opening of a cache to its closing. Before the first
 * one, a loop on a separate array takes the extra time of a program's first loop.
 */
#include <heddle/heddle.h>
#include <heddle/upc_cache.h>

#define TIMED_COUNT 8192
static shared double timed_array[TIMED_COUNT * THREADS];
static int timed_open;

static void timed_first(void)
{
	heddle_cache_t *cache = heddle_cache_open(timed_array, 65536 * THREADS, HEDDLE_CACHE_ARBITRARY);
	heddle_cache_t *other = heddle_cache_open(timed_array, 65536 * THREADS, HEDDLE_CACHE_ARBITRARY);
	double sum = 0;

	for (size_t i = 0; i < TIMED_COUNT; i++)
		heddle_cache_hint(cache, i);
	heddle_cache_start_download(cache);
	heddle_cache_finish_download(cache);
	for (size_t i = 0; i < TIMED_COUNT; i++)
		sum += heddle_cache_at(cache, i, double);
	for (size_t i = 0; i < TIMED_COUNT; i++)
		heddle_cache_set(cache, i, double, sum);
	heddle_cache_start_upload(cache);
	heddle_cache_finish_upload(cache);
	heddle_cache_close(cache);
	heddle_cache_close(other);
	upc_barrier;
}

static void timed_begin(void)
{
	static int warm;

	if (!warm)
		timed_first();
	warm = 1;
	if (timed_open++ == 0)
		heddle_phase_begin("loop");
}

static void timed_end(void)
{
	if (--timed_open == 0)
		heddle_phase_end("loop");
}

#undef heddle_cache_open
#define heddle_cache_open(array, chunk, policy)                                                                       \
	(timed_begin(), heddle_cache_open_shared((shared void *)(array), sizeof(*(array)), upc_blocksizeof(*(array)), \
				(chunk), (policy), sizeof(array)))
#define heddle_cache_close(cache) (heddle_cache_close(cache), timed_end())
