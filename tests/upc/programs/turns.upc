/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turns barrier|collective|lock ROUNDS MS: threads sleep in turn, before a barrier or a collective of all threads, or
 * each while it holds a lock. A sleep takes the requested time, or longer.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <upc_collective.h>
#include <upc_relaxed.h>

static shared int terms[THREADS], sum;

static void nap(long ms)
{
	struct timespec left = {ms / 1000, ms % 1000 * 1000000};
	while (nanosleep(&left, &left) != 0)
		continue;
}

static void meet(const char *how)
{
	if (strcmp(how, "collective") == 0)
		upc_all_reduceI(&sum, terms, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	else
		upc_barrier;
}

int main(int argc, char **argv)
{
	upc_lock_t *lock = upc_all_lock_alloc();
	long rounds = argc > 2 ? atol(argv[2]) : 10, ms = argc > 3 ? atol(argv[3]) : 10;
	for (long i = 0; argc > 1 && i < rounds; i++) {
		if (strcmp(argv[1], "lock") == 0) {
			upc_lock(lock);
			nap(ms);
			upc_unlock(lock);
			continue;
		}
		if (i % THREADS == MYTHREAD)
			nap(ms);
		meet(argv[1]);
	}
	return 0;
}
