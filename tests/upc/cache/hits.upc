/* SPDX-License-Identifier: BSD-3-Clause */
/* Gets of hinted and of other elements; each thread prints its expected numbers of gets and misses. */
#include <stdio.h>
#include <upc_relaxed.h>

#include <heddle/upc_cache.h>

#define COUNT ((size_t)500 * THREADS)
#define TILE 256

shared int numbers[500 * THREADS];

static int is_remote(size_t index)
{
	return (int)upc_threadof(&numbers[index]) != MYTHREAD;
}

int main(void)
{
	heddle_cache_t *cache = heddle_cache_open(numbers, TILE, HEDDLE_CACHE_ARBITRARY);
	size_t gets = 0;
	long sum = 0;
	for (size_t tile = 0; tile < COUNT; tile += TILE) {
		size_t end = heddle_cache_tile_end(tile, TILE, COUNT), other = (tile + 300) % COUNT;
		for (size_t i = tile; i < end && heddle_cache_wants_hints(cache); i++)
			heddle_cache_hint(cache, i);
		heddle_cache_start_download(cache);
		heddle_cache_finish_download(cache);
		for (size_t i = tile; i < end; i++) {
			gets += is_remote(i);
			sum += heddle_cache_at(cache, i, int);
		}
		gets += is_remote(other);
		sum += heddle_cache_at(cache, other, int);
	}
	printf("%lu %lu\n", (unsigned long)gets, (unsigned long)heddle_cache_count(cache).misses);
	heddle_cache_close(cache);
	return sum != 0;
}
