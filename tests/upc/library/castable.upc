/* SPDX-License-Identifier: BSD-3-Clause */
/* upc_castable.h and upc_tick.h: other threads' memory by private pointers; time that passes as the system's does. */
#include <stdint.h>
#include <time.h>
#include <upc_castable.h>
#include <upc_tick.h>

#include "../programs/check.h"

shared [4] int array[4 * THREADS];
shared [] int *shared pieces[THREADS];

static void casts(void)
{
	shared [4] int *wide = upc_all_alloc(THREADS, 4 * sizeof(int));
	int next = (MYTHREAD + 1) % THREADS, castable = upc_thread_info((size_t)next).guaranteedCastable != 0;

	pieces[MYTHREAD] = upc_alloc(4 * sizeof(int));
	upc_barrier;
	CHECK(upc_cast(NULL) == NULL);
	CHECK(upc_cast(&array[4 * MYTHREAD + 1]) == (int *)&array[4 * MYTHREAD + 1]);
	for (int i = 0; i < 4; i++) {
		int *one = upc_cast(&array[4 * next + i]), *two = upc_cast(&wide[4 * next + i]),
		    *three = upc_cast(pieces[next] + i);
		if (!castable) {
			CHECK(!one && !two && !three);
			array[4 * next + i] = 100 * MYTHREAD + i;
			wide[4 * next + i] = 200 * MYTHREAD + i;
			pieces[next][i] = 300 * MYTHREAD + i;
			continue;
		}
		CHECK(one && two && three);
		*one = 100 * MYTHREAD + i;
		*two = 200 * MYTHREAD + i;
		*three = 300 * MYTHREAD + i;
	}
	upc_barrier;
	int before = (MYTHREAD + THREADS - 1) % THREADS;
	for (int i = 0; i < 4; i++) {
		CHECK(array[4 * MYTHREAD + i] == 100 * before + i);
		CHECK(wide[4 * MYTHREAD + i] == 200 * before + i);
		CHECK(pieces[MYTHREAD][i] == 300 * before + i);
	}
	/* The next element of the same thread follows in memory. */
	int *first = upc_cast(&array[4 * next]);
	CHECK(!castable || first + 3 == upc_cast(&array[4 * next + 3]));
	upc_barrier;
	upc_all_free(wide);
	upc_free(pieces[MYTHREAD]);
}

static void threads(void)
{
	CHECK(UPC_CASTABLE_ALL == (UPC_CASTABLE_ALL_ALLOC | UPC_CASTABLE_GLOBAL_ALLOC | UPC_CASTABLE_ALLOC | UPC_CASTABLE_STATIC));
	CHECK(UPC_CASTABLE_ALL_ALLOC > 0);
	CHECK(UPC_CASTABLE_GLOBAL_ALLOC > 0);
	CHECK(UPC_CASTABLE_ALLOC > 0);
	CHECK(UPC_CASTABLE_STATIC > 0);
	for (size_t t = 0; t < THREADS; t++) {
		upc_thread_info_t info = upc_thread_info(t);
		CHECK(info.guaranteedCastable == UPC_CASTABLE_ALL || (info.guaranteedCastable == 0 && t != MYTHREAD));
		CHECK((info.probablyCastable & info.guaranteedCastable) == info.guaranteedCastable);
	}
}

static void ticks(void)
{
	upc_tick_t first = upc_ticks_now(), last = first;
	struct timespec nap = {0, 20000000};

	CHECK(upc_ticks_to_ns(UPC_TICK_MIN) < upc_ticks_to_ns(UPC_TICK_MAX));
	CHECK(first >= UPC_TICK_MIN && first <= UPC_TICK_MAX);
	for (int i = 0; i < 10000; i++) {
		upc_tick_t now = upc_ticks_now();
		CHECK(now >= last);
		last = now;
	}
	nanosleep(&nap, NULL);
	uint64_t passed = upc_ticks_to_ns(upc_ticks_now() - first);
	CHECK(passed >= 20000000 && passed < UINT64_C(60000000000));
	upc_barrier;
}

int main(void)
{
	casts();
	threads();
	ticks();
	return failures != 0;
}
