/* SPDX-License-Identifier: BSD-3-Clause */
/* Extensions of Berkeley UPC, without including its headers: the compiler declares them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../programs/check.h"

shared int turn;
shared [3] double blocks[6 * THREADS];
shared [] int *shared pieces[THREADS];

/* Relaxed reads in a loop see another thread's writes. */
static void poll(void)
{
	while (turn != MYTHREAD)
		upc_poll();
	turn = MYTHREAD + 1;
	bupc_poll();
	upc_barrier;
	CHECK(turn == THREADS);
}

static void pointers(void)
{
	char text[BUPC_DUMP_MIN_LENGTH];
	shared [] int *piece = pieces[MYTHREAD] = upc_alloc(5 * sizeof(int));

	for (int from = 0; from < 6 * THREADS; from++)
		for (int to = 0; to < 6 * THREADS; to++)
			CHECK(bupc_ptradd(&blocks[from], 3, sizeof(double), to - from) == &blocks[to] &&
				upc_phaseof(bupc_ptradd(&blocks[from], 3, sizeof(double), to - from)) == to % 3);
	CHECK(bupc_ptradd(piece, 0, sizeof(int), 4) == piece + 4 && bupc_ptradd(piece + 4, 0, sizeof(int), -4) == piece);
	CHECK(bupc_dump_shared(piece, text, sizeof text) == 0 && strlen(text) > 0);
	CHECK(bupc_dump_shared(piece, text, 5) == -1);
}

static void distances(void)
{
	for (int thread = 0; thread < THREADS; thread++) {
		unsigned distance = bupc_thread_distance(thread, MYTHREAD);
		CHECK((distance == BUPC_THREADS_SAME) == (thread == MYTHREAD));
		CHECK(distance == bupc_thread_distance(MYTHREAD, thread) && distance <= BUPC_THREADS_VERYFAR);
		CHECK(bupc_thread_castable(thread) == (distance <= BUPC_THREADS_VERYNEAR));
		CHECK(bupc_castable(pieces[thread]) == (bupc_cast(pieces[thread]) != NULL));
	}
}

static void ticks(void)
{
	bupc_tick_t begin = bupc_ticks_now(), end = bupc_ticks_now();
	uint64_t ns = bupc_ticks_to_ns(end - begin), us = bupc_ticks_to_us(end - begin);

	CHECK(end >= begin && ns / 1000 == us && BUPC_TICK_MAX > BUPC_TICK_MIN && bupc_tick_granularityus() > 0);
}

static void transfers(void)
{
	int here = 7, next = (MYTHREAD + 1) % THREADS, back = 0;
	upc_barrier;
	bupc_handle_t handle = bupc_memput_async(pieces[next], &here, sizeof here);
	bupc_waitsync(handle);
	upc_barrier;
	bupc_memget_asynci(&back, pieces[MYTHREAD], sizeof back);
	bupc_waitsynci();
	CHECK(back == 7 && bupc_trysynci());
	bupc_trace_printf(("thread %d", MYTHREAD));
	CHECK(bupc_assert_type(shared int *, &turn) && !bupc_assert_type(shared [] int *, &turn));
	CHECK(bupc_assert_type(int, here) && !bupc_assert_type(long, here) && bupc_getenv("HUPC_NONE") == NULL);
}

int main(void)
{
	poll();
	pointers();
	upc_barrier;
	distances();
	ticks();
	transfers();
	return failures != 0;
}
