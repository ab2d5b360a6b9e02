/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turns barrier|collective|lock ROUNDS MS: threads sleep in turn, before a barrier or a collective of all threads, or
 * each while it holds a lock. A sleep takes the requested time, or longer. Thread 0 prints "own US", the time of all
 * threads outside of these operations, and "main US".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <upc_collective.h>
#include <upc_relaxed.h>

static shared double spent[THREADS];
static shared int terms[THREADS], sum;
static double own, since;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void nap(long ms)
{
	struct timespec left = {ms / 1000, ms % 1000 * 1000000};
	while (nanosleep(&left, &left) != 0)
		continue;
}

static void leave_own(void)
{
	own += now() - since;
}

static void meet(const char *how)
{
	leave_own();
	if (strcmp(how, "collective") == 0)
		upc_all_reduceI(&sum, terms, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	else
		upc_barrier;
	since = now();
}

int main(int argc, char **argv)
{
	double begin = since = now(), all = 0;
	upc_lock_t *lock = upc_all_lock_alloc();
	long rounds = argc > 2 ? atol(argv[2]) : 10, ms = argc > 3 ? atol(argv[3]) : 10;
	for (long i = 0; argc > 1 && i < rounds; i++) {
		if (strcmp(argv[1], "lock") == 0) {
			leave_own();
			upc_lock(lock);
			since = now();
			nap(ms);
			leave_own();
			upc_unlock(lock);
			since = now();
			continue;
		}
		if (i % THREADS == MYTHREAD)
			nap(ms);
		meet(argv[1]);
	}
	leave_own();
	spent[MYTHREAD] = own;
	upc_barrier;
	for (int i = 0; i < THREADS; i++)
		all += spent[i];
	if (MYTHREAD == 0)
		printf("own %.0f\nmain %.0f\n", all, now() - begin);
	return 0;
}
