/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks (UPC library 7.2.4): mutual exclusion, order of accesses, attempts, which threads allocate and free them. */
#include "../programs/check.h"

#define ROUNDS 2000

shared int counter;
shared [] int words[64];
upc_lock_t *shared handed[THREADS];
shared int inside[THREADS];

/* No increment is lost, and all words guarded by a lock are consistent. */
static void exclusion(upc_lock_t *lock)
{
	if (MYTHREAD == 0)
		counter = 0;
	upc_barrier;
	for (int i = 0; i < ROUNDS; i++) {
		upc_lock(lock);
		counter++;
		if (i % 50 == 0) {
			for (int j = 1; j < 64; j++)
				CHECK(words[j] == words[0]);
			for (int j = 0; j < 64; j++)
				words[j]++;
		}
		upc_unlock(lock);
	}
	upc_barrier;
	CHECK(counter == ROUNDS * THREADS);
	upc_barrier;
}

static void attempts(upc_lock_t *lock)
{
	int got = 0;

	if (MYTHREAD == 0)
		upc_lock(lock);
	upc_barrier;
	if (MYTHREAD != 0)
		CHECK(upc_lock_attempt(lock) == 0);
	upc_barrier;
	if (MYTHREAD == 0)
		upc_unlock(lock);
	upc_barrier;
	if (MYTHREAD == THREADS - 1) {
		CHECK(upc_lock_attempt(lock) == 1);
		upc_unlock(lock);
	}
	if (MYTHREAD == 0)
		counter = 0;
	upc_barrier;
	while (got < 100) {
		if (upc_lock_attempt(lock)) {
			counter++;
			upc_unlock(lock);
			got++;
		}
	}
	upc_barrier;
	CHECK(counter == 100 * THREADS);
	upc_barrier;
}

/* Each thread allocates a lock, and all threads use all locks. */
static void one_each(void)
{
	handed[MYTHREAD] = upc_global_lock_alloc();
	inside[MYTHREAD] = 0;
	upc_barrier;
	for (int t = 0; t < THREADS; t++)
		CHECK((handed[t] == handed[MYTHREAD]) == (t == MYTHREAD));
	for (int i = 0; i < 300; i++) {
		int which = (MYTHREAD + i) % THREADS;
		upc_lock(handed[which]);
		inside[which]++;
		upc_unlock(handed[which]);
	}
	upc_barrier;
	int sum = 0;
	for (int t = 0; t < THREADS; t++)
		sum += inside[t];
	CHECK(sum == 300 * THREADS);
	upc_barrier;
	upc_lock_free(handed[(MYTHREAD + 1) % THREADS]);
	upc_barrier;
}

/* Several locks are held at the same time, acquired in a fixed order. */
static void nested(void)
{
	upc_lock_t *outer = upc_all_lock_alloc(), *inner = upc_all_lock_alloc();

	CHECK(outer != inner);
	if (MYTHREAD == 0)
		counter = 0;
	upc_barrier;
	for (int i = 0; i < 200; i++) {
		upc_lock(outer);
		upc_lock(inner);
		counter++;
		upc_unlock(outer);
		counter++;
		upc_unlock(inner);
	}
	upc_barrier;
	CHECK(counter == 400 * THREADS);
	upc_all_lock_free(outer);
	upc_all_lock_free(inner);
}

/* A lock may be freed while it is held; a null pointer may be freed. */
static void freed(void)
{
	upc_lock_t *null = NULL;
	upc_lock_t *lock = upc_global_lock_alloc();

	CHECK(lock != NULL);
	upc_lock(lock);
	upc_lock_free(lock);
	upc_lock_free(null);
	upc_lock_free(NULL);
	upc_all_lock_free(NULL);
	lock = upc_all_lock_alloc();
	handed[MYTHREAD] = lock;
	upc_barrier;
	for (int t = 0; t < THREADS; t++)
		CHECK(handed[t] == lock);
	upc_barrier;
	if (MYTHREAD == THREADS - 1)
		upc_lock(lock);
	upc_all_lock_free(lock);
	lock = upc_all_lock_alloc();
	upc_barrier;
	if (MYTHREAD == THREADS - 1) /* one thread may free what all allocated collectively */
		upc_lock_free(lock);
	upc_barrier;
}

int main(void)
{
	upc_lock_t *lock = upc_all_lock_alloc();

	exclusion(lock);
	attempts(lock);
	upc_all_lock_free(lock);
	one_each();
	nested();
	freed();
	for (int i = 0; i < 500; i++) /* none is lost */
		upc_all_lock_free(upc_all_lock_alloc());
	return failures != 0;
}
