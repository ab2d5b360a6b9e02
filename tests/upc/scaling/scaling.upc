/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling OPERATION COUNT: executes the operation COUNT times, so that its messages can be counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_relaxed.h>

#define MOST 64
shared [MOST] char to[THREADS][MOST], from[THREADS][MOST];
shared [1] long words[THREADS];
shared long sum;

static void locks(int count)
{
	upc_lock_t *lock = upc_all_lock_alloc();
	for (int i = 0; i < count; i++) {
		upc_lock(lock);
		upc_unlock(lock);
	}
	upc_barrier;
}

static void atomics(int count)
{
	upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_INC, 0);
	for (int i = 0; i < count; i++)
		upc_atomic_relaxed(domain, NULL, UPC_INC, &words[0], NULL, NULL);
	upc_barrier;
}

int main(int argc, char **argv)
{
	const char *operation = argc > 1 ? argv[1] : "";
	int count = argc > 2 ? atoi(argv[2]) : 0;
#define IS(name) (strcmp(operation, name) == 0)
	if (IS("lock"))
		locks(count);
	if (IS("atomic"))
		atomics(count);
	for (int i = 0; i < count; i++) {
		if (IS("barrier"))
			upc_barrier;
		if (IS("alloc"))
			upc_all_free(upc_all_alloc(THREADS, 64));
		if (IS("broadcast"))
			upc_all_broadcast(to, from, MOST, 0);
		if (IS("scatter"))
			upc_all_scatter(to, from, 1, 0);
		if (IS("gather"))
			upc_all_gather(to, from, 1, 0);
		if (IS("gather_all"))
			upc_all_gather_all(to, from, 1, 0);
		if (IS("exchange"))
			upc_all_exchange(to, from, 1, 0);
		if (IS("reduce"))
			upc_all_reduceL(&sum, words, UPC_ADD, THREADS, 1, NULL, 0);
	}
	return 0;
}
