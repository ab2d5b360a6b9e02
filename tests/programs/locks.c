/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * locks MILLISECONDS: two threads burn known parts of the CPU time while they hold locks: one lock; two, released in
 * the order of their acquisition; locks that other functions release, or that are released after the loop in which they
 * were acquired. Prints the truth as truth.c does.
 */
#include <omp.h>
#include <stdlib.h>

#define FUNCTIONS(X)   \
	X(held, 12)    \
	X(tested, 8)   \
	X(nest, 10)    \
	X(both, 10)    \
	X(second, 14)  \
	X(wrapped, 14) \
	X(beyond, 12)  \
	X(free, 20)

#include "shares.h"

static omp_lock_t shared_lock;
static omp_nest_lock_t nest_lock;

static NOINLINE void one_lock(void)
{
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 8; i++) {
		omp_set_lock(&shared_lock);
		burn_held(PART(held, 8));
		omp_unset_lock(&shared_lock);
	}
	if (omp_test_lock(&shared_lock)) {
		burn_tested(PART(tested, 1));
		omp_unset_lock(&shared_lock);
	}
}

static NOINLINE void set_twice(void)
{
#pragma omp parallel num_threads(2)
	{
		omp_set_nest_lock(&nest_lock);
		omp_set_nest_lock(&nest_lock);
		omp_unset_nest_lock(&nest_lock);
		burn_nest(PART(nest, 2));
		omp_unset_nest_lock(&nest_lock);
	}
}

static NOINLINE void two_locks(void)
{
	omp_lock_t first, second;
	omp_init_lock(&first);
	omp_init_lock(&second);
	for (int i = 0; i < 4; i++) {
		omp_set_lock(&first);  /* line: first */
		omp_set_lock(&second); /* line: second */
		burn_both(PART(both, 4));
		omp_unset_lock(&first);
		burn_second(PART(second, 4));
		omp_unset_lock(&second);
	}
	omp_destroy_lock(&first);
	omp_destroy_lock(&second);
}

static NOINLINE void acquire(omp_lock_t *lock)
{
	omp_set_lock(lock);
	__asm__ volatile("");
}

static NOINLINE void release(omp_lock_t *lock)
{
	omp_unset_lock(lock);
	__asm__ volatile("");
}

static NOINLINE void wrapped(void)
{
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 4; i++) {
		acquire(&shared_lock);
		burn_wrapped(PART(wrapped, 8));
		release(&shared_lock);
		burn_free(PART(free, 8));
	}
}

static NOINLINE void beyond(void)
{
	omp_lock_t own[2];
#pragma omp parallel num_threads(2)
	{
#pragma omp for nowait
		for (int i = 0; i < 2; i++) {
			omp_init_lock(&own[i]);
			omp_set_lock(&own[i]);
		}
		burn_beyond(PART(beyond, 2));
		omp_unset_lock(&own[omp_get_thread_num()]);
	}
}

int main(int argc, char **argv)
{
	total_ms = argc > 1 ? atof(argv[1]) : 1000;
	omp_init_lock(&shared_lock);
	omp_init_nest_lock(&nest_lock);
	one_lock();
	set_twice();
	two_locks();
	wrapped();
	beyond();
	print_shares();
	return 0;
}
