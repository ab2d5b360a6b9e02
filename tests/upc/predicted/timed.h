/* SPDX-License-Identifier: BSD-3-Clause */
/* Included before a tuned program: a phase "loop" from the opening of a cache to its closing. */
#include <heddle/heddle.h>
#include <heddle/upc_cache.h>

static int timed_open;

static void timed_begin(void)
{
	if (timed_open++ == 0)
		heddle_phase_begin("loop");
}

static void timed_end(void)
{
	if (--timed_open == 0)
		heddle_phase_end("loop");
}

#undef heddle_cache_open
#define heddle_cache_open(array, chunk, policy)                                                                  \
	(timed_begin(), heddle_cache_open_shared((shared void *)(array), sizeof(*(array)), upc_blocksizeof(*(array)), \
				(chunk), (policy), sizeof(array)))
#define heddle_cache_close(cache) (heddle_cache_close(cache), timed_end())
