/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared memory allocation (UPC library 7.2.2): affinity, layout, alignment, size 0, which threads may free memory. */
#include <stdint.h>
#include <string.h>

#include "../programs/check.h"

shared void *shared kept[THREADS];
shared [] int *shared lists[THREADS];

static void of_all(void)
{
	for (size_t blocks = 1; blocks < 3 * THREADS; blocks++) {
		shared [7] int *got = upc_all_alloc(blocks, 7 * sizeof(int));
		CHECK(upc_threadof(got) == 0 && upc_phaseof(got) == 0 && got != NULL);
		kept[MYTHREAD] = got;
		upc_barrier;
		for (int t = 0; t < THREADS; t++)
			CHECK(kept[t] == got);
		upc_forall (int i = 0; i < blocks * 7; i++; &got[i])
			got[i] = 3 * i;
		upc_barrier;
		for (int i = 0; i < blocks * 7; i++)
			CHECK(got[i] == 3 * i);
		upc_all_free(got);
	}
	CHECK(upc_all_alloc(0, 8) == NULL);
	CHECK(upc_all_alloc(8, 0) == NULL);
	CHECK(upc_all_alloc(0, 0) == NULL);
	upc_all_free(NULL);
}

/* Each thread allocates a separate block. */
static void global(void)
{
	shared [4] long *got = upc_global_alloc(3 * THREADS, 4 * sizeof(long));

	CHECK(upc_threadof(got) == 0 && upc_phaseof(got) == 0);
	kept[MYTHREAD] = got;
	for (int i = 0; i < 12 * THREADS; i++) {
		CHECK(upc_threadof(&got[i]) == i / 4 % THREADS);
		got[i] = 1000 * MYTHREAD + i;
	}
	upc_barrier;
	for (int t = 0; t < THREADS; t++) {
		shared [4] long *theirs = kept[t];
		CHECK((theirs == got) == (t == MYTHREAD));
		for (int i = 0; i < 12 * THREADS; i++)
			CHECK(theirs[i] == 1000 * t + i);
	}
	upc_barrier;
	/* Any thread may free it, once. */
	upc_free(kept[(MYTHREAD + 1) % THREADS]);
	CHECK(upc_global_alloc(0, 5) == NULL && upc_global_alloc(5, 0) == NULL);
}

static void own(void)
{
	CHECK(upc_alloc(0) == NULL);
	for (size_t size = 1; size < 5000; size = size * 3 + 1) {
		shared [] char *got = upc_alloc(size);
		CHECK(got != NULL && upc_threadof(got) == MYTHREAD && upc_phaseof(got) == 0);
		char *bytes = (char *)got;
		CHECK((uintptr_t)bytes % 16 == 0);
		memset(bytes, MYTHREAD + 1, size);
		CHECK(got[0] == MYTHREAD + 1 && got[size - 1] == MYTHREAD + 1);
		upc_free(got);
	}
	upc_free(NULL);

	lists[MYTHREAD] = upc_alloc(100 * sizeof(int));
	for (int i = 0; i < 100; i++)
		lists[MYTHREAD][i] = 100 * MYTHREAD + i;
	upc_barrier;
	int next = (MYTHREAD + 1) % THREADS;
	CHECK(upc_threadof(lists[next]) == next);
	for (int i = 0; i < 100; i++)
		CHECK(lists[next][i] == 100 * next + i);
	upc_barrier;
	upc_free(lists[next]);
	upc_barrier;
}

/* Blocks that exist at the same time do not overlap. */
static void many(void)
{
	enum { COUNT = 200 };
	static shared [] unsigned char *got[COUNT];
	static shared [16] unsigned char *wide[COUNT / 10];

	for (int i = 0; i < COUNT; i++) {
		got[i] = upc_alloc(i + 1);
		upc_memset(got[i], i, i + 1);
		if (i % 10 == 0) {
			wide[i / 10] = upc_global_alloc(THREADS + 1, 16);
			for (int j = 0; j < 16 * (THREADS + 1); j++)
				wide[i / 10][j] = i + MYTHREAD;
		}
	}
	for (int i = 0; i < COUNT; i++) {
		for (int j = 0; j <= i; j++)
			CHECK(got[i][j] == i);
		upc_free(got[i]);
		if (i % 10 == 0) {
			for (int j = 0; j < 16 * (THREADS + 1); j++)
				CHECK(wide[i / 10][j] == i + MYTHREAD);
			upc_free(wide[i / 10]);
		}
	}
	upc_barrier;
}

/* Freed memory can be allocated again: this allocates many times the heap's size. */
static void again(void)
{
	for (int i = 0; i < 200; i++) {
		shared [] char *mine = upc_alloc(1 << 20);
		mine[12345] = 1;
		upc_free(mine);
		shared [1024] char *wide = upc_global_alloc(THREADS, 1 << 20);
		wide[0] = 1;
		upc_free(wide);
		if (i % 20 == 0)
			upc_all_free(upc_all_alloc(THREADS, 1 << 20));
	}
	upc_barrier;
}

/* One thread may free what upc_all_alloc returned; all may free, collectively, what one thread allocated. */
static void mixed(void)
{
	shared int *got = upc_all_alloc(THREADS, sizeof(int));

	upc_barrier;
	if (MYTHREAD == THREADS - 1)
		upc_free(got);
	if (MYTHREAD == 0)
		kept[0] = upc_global_alloc(THREADS, 32);
	if (MYTHREAD == THREADS - 1)
		lists[0] = upc_alloc(32);
	upc_barrier;
	upc_all_free(kept[0]);
	upc_all_free(lists[0]);
	upc_barrier;
}

int main(void)
{
	of_all();
	global();
	upc_barrier;
	own();
	many();
	again();
	mixed();
	return failures != 0;
}
