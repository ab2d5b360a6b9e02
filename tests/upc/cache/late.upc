/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread's own put of the previous tile, which its owner has not written yet: a get sees it, hinted or not, if
 * downloads overlap. Argument: the policy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <upc_relaxed.h>
#include <heddle/upc_cache.h>

static shared int x[2 * THREADS];

int main(int argc, char **argv)
{
	heddle_cache_t *cache = heddle_cache_open(x, 10, (enum heddle_cache_policy)(argc > 1 ? atoi(argv[1]) : 0));
	size_t other = (size_t)(MYTHREAD + 1) % THREADS, second = other + THREADS;
	int wrong;

	/* Downloads for a first and a second tile. */
	heddle_cache_start_download(cache);
	heddle_cache_finish_download(cache);
	heddle_cache_hint(cache, second);
	heddle_cache_start_download(cache);
	heddle_cache_set(cache, other, int, 1);
	heddle_cache_set(cache, second, int, 2);
	heddle_cache_start_upload(cache);
	if (MYTHREAD != 0)
		usleep(300000);
	heddle_cache_finish_upload(cache);
	heddle_cache_finish_download(cache);
	wrong = heddle_cache_at(cache, other, int) != 1 || heddle_cache_at(cache, second, int) != 2;
	heddle_cache_close(cache);
	upc_barrier;
	wrong |= x[other] != 1 || x[second] != 2;
	if (wrong)
		fprintf(stderr, "thread %d does not see its own put\n", MYTHREAD);
	upc_barrier;
	if (MYTHREAD == 0)
		puts("late: right");
	return wrong;
}
