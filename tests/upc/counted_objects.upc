/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places that access several objects of several owners: in turn, by pointers that move, in recursive functions,
 * in OpenMP threads; objects that are freed, also by other threads, after which other objects get their
 * addresses.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define N 48 /* elements of a thread's part */
#define WAYS 12
#define ROUNDS 40

shared [N] long blocks[N * THREADS], others[N * THREADS];
shared long cyclic[N * THREADS];
static shared [] long *shared published[THREADS];
static shared [] long *ways[WAYS];
static shared [N] long *global;
static int next;
static volatile long sink;

/* One place, whose pointer moves from one object to another. */
static __attribute__((noinline)) long walk(shared [] long *from, int times)
{
	long sum = 0;
	for (int i = 0; i < times; i++)
		sum += from[i % N];
	return sum;
}

/* One place, which accesses COUNT objects in turn. */
static __attribute__((noinline)) void alternate(int count, int times)
{
	for (int i = 0; i < times; i++)
		ways[i % count][i % N] += i;
}

/* The place accesses a block of one array, while the recursive call accesses a block of the other one. */
static __attribute__((noinline)) long descend(shared [N] long *from, shared [N] long *to, int depth)
{
	long sum = 0;
	for (int i = 0; i < N; i++) {
		sum += from[next * N + i];
		if (i == N / 2 && depth > 0)
			sum += descend(to, from, depth - 1);
	}
	return sum;
}

/* Accesses one thread's block, while the recursive call accesses the next thread's. */
static __attribute__((noinline)) long descend_owners(int owner, int depth)
{
	long sum = 0;
	for (int i = 0; i < N; i++) {
		sum += blocks[owner * N + i];
		if (i % 16 == 8 && depth > 0)
			sum += descend_owners((owner + 1) % THREADS, depth - 1);
	}
	return sum;
}

static void choose_ways(void)
{
	for (int way = 0; way < WAYS; way++) {
		int owner = (MYTHREAD + way) % THREADS;
		ways[way] = way % 4 == 0   ? (shared [] long *)&blocks[N * owner]
			    : way % 4 == 1 ? published[owner]
			    : way % 4 == 2 ? (shared [] long *)&global[N * owner]
					   : (shared [] long *)&others[N * owner];
	}
}

/* All threads access what one has allocated; then some thread frees it, and another object gets the same address. */
static void renew(int round)
{
	upc_barrier;
	if (round % 2)
		published[MYTHREAD] = (shared [] long *)upc_alloc(N * sizeof(long));
	else
		published[MYTHREAD] = (shared [] long *)upc_alloc((N + round % 3 * N) * sizeof(long));
	upc_barrier;
	for (int t = 0; t < THREADS; t++)
		sink += walk(published[(MYTHREAD + t) % THREADS], 100);
	choose_ways();
	alternate(round % WAYS + 1, 300);
	upc_barrier;
	if (round % 5 == 0) {
		if (MYTHREAD == 0)
			upc_free(global);
		upc_barrier;
		global = upc_all_alloc(THREADS, N * sizeof(long));
	}
	upc_free(published[(MYTHREAD + round) % THREADS]);
	sink += walk((shared [] long *)&global[N * next], 50);
	upc_barrier;
}

/* Each thread accesses, without a barrier, memory that it allocates and frees repeatedly. */
static void renew_alone(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		shared [] long *one = upc_alloc(N * sizeof(long)), *two;
		sink += walk(one, 20);
		upc_free(one);
		two = upc_alloc((i % 2 + 1) * N / 2 * sizeof(long));
		sink += walk(two, 10);
		sink += walk((shared [] long *)&others[N * next], 30);
		upc_free(two);
	}
}

/* One OpenMP thread accesses memory that it allocates and frees, while the others access static arrays. */
static void renew_beside(void)
{
#pragma omp parallel num_threads(3)
	{
		for (int i = 0; i < 100 * ROUNDS; i++) {
			if (omp_get_thread_num() > 0) {
				sink += walk((shared [] long *)&blocks[N * next], 3) +
					walk((shared [] long *)&others[N * next], 3);
				continue;
			}
			shared [] long *one = upc_alloc((i % 2 + 1) * N / 2 * sizeof(long));
			sink += walk(one, 3);
			upc_free(one);
		}
	}
}

static void parallel(void)
{
	shared [] long *own = upc_alloc(N * sizeof(long));
	published[MYTHREAD] = own;
	upc_barrier;
	choose_ways();
	upc_barrier;
#pragma omp parallel num_threads(3)
	{
		for (int i = 0; i < 5; i++)
			sink += walk(ways[i], 200);
		alternate(WAYS, 500);
	}
	upc_barrier;
	upc_free(own);
}

int main(void)
{
	next = (MYTHREAD + 1) % THREADS;
	global = upc_all_alloc(THREADS, N * sizeof(long));
	for (int i = 0; i < ROUNDS; i++)
		renew(i);
	renew_alone();
	parallel();
	renew_beside();
	sink += descend(blocks, others, 3) + descend(global, blocks, 4) + descend_owners(next, 4);
	for (int i = 0; i < N * THREADS; i++)
		cyclic[i] += cyclic[(i + 1) % (N * THREADS)];
	upc_barrier;
	return 0;
}
