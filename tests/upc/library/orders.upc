/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one thread does at a second one is complete before what a third one does there later: unlocking, puts before a
 * lock, puts to memory that is then freed. Over a network, each sends to the second thread by its own connection.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../programs/check.h"
#include <upc_relaxed.h>

#define BIG 500000
#define PUTS 8
#define SECONDS 0.4 /* of each part, at most */

enum { FIRST, SECOND, TARGET };

strict shared int turn[THREADS];
shared int ready[THREADS];
upc_lock_t *shared lock;
shared [] char *shared area;
shared [BIG] char *strict shared block;
static char buffer[BIG];

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

/* The target computes until the others have ended, so another thread of its process handles its messages. */
static void compute(void)
{
	double end = now() + 2 * SECONDS;
	while (turn[FIRST] != -1 && now() < end)
		for (volatile int i = 0; i < 100000; i++)
			;
}

static int await(int thread, int value)
{
	int seen;
	while ((seen = turn[thread]) != value && seen != -1)
		;
	return seen;
}

/* A lock is free for every thread that has learned, by a strict access, that it was released. */
static void unlocks(void)
{
	double end = now() + SECONDS;
	if (MYTHREAD == FIRST) {
		for (int i = 1; i < 3000 && now() < end; i++) {
			upc_lock(lock);
			upc_unlock(lock);
			turn[FIRST] = i;
			await(SECOND, i);
		}
		turn[FIRST] = -1;
	} else if (MYTHREAD == SECOND) {
		for (int i = 1; await(FIRST, i) == i; i++) {
			int got = upc_lock_attempt(lock);
			CHECK(got);
			if (got)
				upc_unlock(lock);
			turn[SECOND] = i;
		}
	} else if (MYTHREAD == TARGET) {
		compute();
	}
}

/* Data put before upc_lock is visible before data written after it. */
static void locks(upc_lock_t *own)
{
	double end = now() + SECONDS;
	if (MYTHREAD == FIRST) {
		for (int i = 1; i < 100 && now() < end; i++) {
			memset(buffer, i, BIG);
			for (int j = 0; j < PUTS; j++)
				upc_memput(area + j * BIG, buffer, BIG);
			upc_lock(own);
			ready[FIRST] = i;
			upc_unlock(own);
			turn[FIRST] = i;
			await(SECOND, i);
		}
		turn[FIRST] = -1;
	} else if (MYTHREAD == SECOND) {
		strict shared int *its = (strict shared int *)&ready[FIRST];
		for (int i = 1;; i++) {
			while (*its != i && turn[FIRST] != -1)
				;
			if (*its != i)
				break;
			CHECK(area[PUTS * BIG - 1] == i);
			turn[SECOND] = i;
		}
	} else if (MYTHREAD == TARGET) {
		compute();
	}
}

/* Allocates the same memory again; NULL: it has not been freed yet. */
static shared [BIG] char *take(shared [BIG] char *wanted)
{
	shared [BIG] char *got = upc_global_alloc(THREADS, BIG);
	if (got == wanted)
		return got;
	upc_free(got);
	return NULL;
}

/* Puts to memory that is freed afterwards do not change what is then allocated at its place. */
static void frees(void)
{
	double end = now() + SECONDS;
	if (MYTHREAD == SECOND) {
		memset(buffer, 1, BIG);
		for (int i = 1; i < 50 && now() < end; i++) {
			shared [BIG] char *mine = upc_global_alloc(THREADS, BIG);
			block = mine;
			turn[SECOND] = i;
			upc_memput(&mine[TARGET * BIG], buffer, BIG);
			upc_free(mine);
			await(FIRST, i);
		}
		turn[SECOND] = -1;
	} else if (MYTHREAD == FIRST) {
		for (int i = 1; await(SECOND, i) == i; i++) {
			shared [BIG] char *its = block, *mine = NULL;
			while (!mine && now() < end)
				mine = take(its);
			if (mine) {
				shared char *last = (shared char *)&mine[TARGET * BIG + BIG - 1];
				*last = 2;
				upc_fence;
				usleep(2000);
				CHECK(*last == 2);
				upc_free(mine);
			}
			turn[FIRST] = i;
		}
		turn[FIRST] = -1;
	} else if (MYTHREAD == TARGET) {
		compute();
	}
}

static void begin(void)
{
	upc_barrier;
	turn[MYTHREAD] = 0;
	ready[MYTHREAD] = 0;
	upc_barrier;
}

int main(void)
{
	upc_lock_t *own = upc_global_lock_alloc();
	if (THREADS < 3)
		return 0;
	if (MYTHREAD == TARGET) {
		lock = own;
		area = upc_alloc(PUTS * BIG);
	}
	begin();
	unlocks();
	begin();
	locks(own);
	begin();
	frees();
	upc_barrier;
	return failures != 0;
}
