/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upc_all_broadcast to upc_all_permute (UPC library 7.4.2), with every combination of synchronization flags: the test
 * relies before and after each call on exactly what the flags guarantee.
 */
#include <stdbool.h>
#include <upc_collective.h>

#include "../programs/check.h"

#define MOST 5 /* elements of a block, at most */

shared [MOST] int source[MOST * THREADS], target[MOST * THREADS];
shared [] int *one; /* on the last thread, used by all */
shared [] int *shared pieces;
shared [] int *wide_source, *wide_target; /* on thread 0, where the arrays begin */
static shared [] int *give, *get; /* this thread's block of either */
shared [MOST] int *from, *to;
shared int permutation[THREADS];

static const upc_flag_t ins[] = {0, UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC},
			outs[] = {0, UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC};
static int round; /* each call transfers different values */

static int value(int thread, int i)
{
	return round * 100000 + thread * 1000 + i;
}

/* Before a call: a barrier if the flags require no synchronization. */
static void before(upc_flag_t flags)
{
	if (flags & UPC_IN_NOSYNC)
		upc_barrier;
}

/* After a call: a barrier if needed before this thread may read its own part. */
static void after(upc_flag_t flags)
{
	if (flags & UPC_OUT_NOSYNC)
		upc_barrier;
}

/* No thread continues with the next values while others still check these. */
static void next(void)
{
	upc_barrier;
	round++;
}

static void broadcast(int count, upc_flag_t flags)
{
	for (int root = 0; root < THREADS; root++) {
		shared [] int *what = (shared [] int *)&from[root * MOST];
		if (MYTHREAD == root) {
			for (int i = 0; i < MOST; i++)
				what[i] = value(root, i);
		}
		for (int i = 0; i < MOST; i++)
			to[MYTHREAD * MOST + i] = -1;
		before(flags);
		upc_all_broadcast(to, what, count * sizeof(int), flags);
		after(flags);
		for (int i = 0; i < MOST; i++)
			CHECK(((shared [] int *)&to[MYTHREAD * MOST])[i] == (i < count ? value(root, i) : -1));
		next();
	}
}

static void scatter(int count, upc_flag_t flags)
{
	if (MYTHREAD == THREADS - 1) {
		for (int i = 0; i < count * THREADS; i++)
			one[i] = value(7, i);
	}
	for (int i = 0; i < MOST; i++)
		to[MYTHREAD * MOST + i] = -1;
	before(flags);
	upc_all_scatter(to, one, count * sizeof(int), flags);
	after(flags);
	for (int i = 0; i < MOST; i++)
		CHECK(to[MYTHREAD * MOST + i] == (i < count ? value(7, MYTHREAD * count + i) : -1));
	next();
}

static void gather(int count, upc_flag_t flags)
{
	for (int i = 0; i < MOST; i++)
		from[MYTHREAD * MOST + i] = value(MYTHREAD, i);
	before(flags);
	upc_all_gather(one, from, count * sizeof(int), flags);
	after(flags);
	if (MYTHREAD == THREADS - 1) {
		for (int i = 0; i < count * THREADS; i++)
			CHECK(one[i] == value(i / count, i % count));
	}
	next();
}

static void gather_all(int count, upc_flag_t flags)
{
	for (int i = 0; i < MOST; i++)
		from[MYTHREAD * MOST + i] = value(MYTHREAD, i);
	before(flags);
	upc_all_gather_all(wide_target, from, count * sizeof(int), flags);
	after(flags);
	for (int i = 0; i < count * THREADS; i++)
		CHECK(get[i] == value(i / count, i % count));
	next();
}

static void exchange(int count, upc_flag_t flags)
{
	for (int i = 0; i < count * THREADS; i++)
		give[i] = value(MYTHREAD, i);
	before(flags);
	upc_all_exchange(wide_target, wide_source, count * sizeof(int), flags);
	after(flags);
	for (int i = 0; i < count * THREADS; i++)
		CHECK(get[i] == value(i / count, MYTHREAD * count + i % count));
	next();
}

static void permute(int count, upc_flag_t flags)
{
	for (int shift = 0; shift < THREADS; shift++) {
		int back = (MYTHREAD - shift + THREADS) % THREADS;
		permutation[MYTHREAD] = (MYTHREAD + shift) % THREADS;
		for (int i = 0; i < MOST; i++) {
			from[MYTHREAD * MOST + i] = value(MYTHREAD, i);
			to[MYTHREAD * MOST + i] = -1;
		}
		before(flags);
		upc_all_permute(to, from, permutation, count * sizeof(int), flags);
		after(flags);
		for (int i = 0; i < MOST; i++)
			CHECK(to[MYTHREAD * MOST + i] == (i < count ? value(back, i) : -1));
		next();
	}
}

static void all(int count, upc_flag_t flags)
{
	broadcast(count, flags);
	scatter(count, flags);
	gather(count, flags);
	gather_all(count, flags);
	exchange(count, flags);
	permute(count, flags);
}

static void with_all_flags(void)
{
	for (int i = 0; i < 4; i++) {
		for (int o = 0; o < 4; o++) {
			for (int count = 1; count <= MOST; count += 2)
				all(count, ins[i] | outs[o]);
		}
	}
}

/* Blocks of size zero have no effect. */
static void nothing(void)
{
	for (int i = 0; i < MOST; i++)
		to[MYTHREAD * MOST + i] = 5;
	permutation[MYTHREAD] = MYTHREAD;
	upc_barrier;
	upc_all_broadcast(to, one, 0, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	upc_all_scatter(to, one, 0, 0);
	upc_all_gather(one, from, 0, 0);
	upc_all_gather_all(to, from, 0, 0);
	upc_all_exchange(to, from, 0, 0);
	upc_all_permute(to, from, permutation, 0, 0);
	for (int i = 0; i < MOST; i++)
		CHECK(to[MYTHREAD * MOST + i] == 5);
	upc_barrier;
}

/* Bytes need no alignment. */
static void bytes(void)
{
	static shared [3] char small_from[3 * THREADS], small_to[3 * THREADS];

	for (int i = 0; i < 3; i++)
		small_from[3 * MYTHREAD + i] = 10 * MYTHREAD + i;
	upc_all_broadcast(small_to, &small_from[3 * (THREADS - 1)], 3, 0);
	for (int i = 0; i < 3; i++)
		CHECK(small_to[3 * MYTHREAD + i] == 10 * (THREADS - 1) + i);
	upc_barrier;
}

/* Without barriers between, one call's result may be the next one's source if threads access only their own parts. */
static void chained(void)
{
	for (int i = 0; i < MOST; i++)
		from[MYTHREAD * MOST + i] = MYTHREAD * 10 + i;
	permutation[MYTHREAD] = (MYTHREAD + 1) % THREADS;
	upc_all_permute(to, from, permutation, MOST * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_MYSYNC);
	upc_all_permute(source, to, permutation, MOST * sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	upc_all_permute(target, source, permutation, MOST * sizeof(int), UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);
	int whose = (MYTHREAD + 3 * THREADS - 3) % THREADS;
	for (int i = 0; i < MOST; i++)
		CHECK(target[MYTHREAD * MOST + i] == whose * 10 + i);
	upc_barrier;
}

int main(void)
{
	from = upc_all_alloc(THREADS, MOST * sizeof(int));
	to = upc_all_alloc(THREADS, MOST * sizeof(int));
	wide_source = upc_all_alloc(THREADS, MOST * THREADS * sizeof(int));
	wide_target = upc_all_alloc(THREADS, MOST * THREADS * sizeof(int));
	if (MYTHREAD == THREADS - 1)
		pieces = upc_alloc(MOST * THREADS * sizeof(int));
	upc_barrier;
	one = pieces;
	/* A thread's block has the same address field as thread 0's. */
	give = (shared [] int *)((shared int *)wide_source + MYTHREAD);
	get = (shared [] int *)((shared int *)wide_target + MYTHREAD);
	with_all_flags();
	from = source; /* static arrays, too */
	to = target;
	all(3, 0);
	nothing();
	bytes();
	chained();
	return failures != 0;
}
