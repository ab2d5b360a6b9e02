/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers, split ones, locks and atomic operations: counts are correct only if they provide exclusion and order. */
#include <sched.h>

#include "upc_program.h"

UNIT(NULL);

#define ROUNDS 3000

struct shared_data {
	volatile uint64_t count;
	volatile uint64_t phase[UPCRT_MAX_THREADS];
	uint32_t small;
	double real;
	float single;
	int64_t whole;
	upcrt_shared pointer;
};

static struct shared_data *data;

static void check_barriers(void)
{
	for (int round = 1; round <= ROUNDS; round++) {
		data->phase[MYTHREAD] = (uint64_t)round;
		if (round % 3 == 0) {
			__upcrt_notify(round % 2, round, "program.upc", 1);
			__upcrt_wait(round % 5 == 0, round, "program.upc", 2);
		} else {
			__upcrt_barrier(MYTHREAD % 2 == 0, round, "program.upc", 3);
		}
		for (int t = 0; t < THREADS; t++)
			CHECK(data->phase[t] == (uint64_t)round || data->phase[t] == (uint64_t)round + 1);
	}
	BARRIER();
}

static void check_locks(void)
{
	upcrt_shared lock = upc_all_lock_alloc(), own = upc_global_lock_alloc();

	for (int round = 0; round < ROUNDS; round++) {
		if (round % 4 == 0) {
			while (!upc_lock_attempt(lock))
				sched_yield();
		} else {
			upc_lock(lock);
		}
		uint64_t seen = data->count;
		data->count = seen + 1;
		upc_unlock(lock);
	}
	BARRIER();
	CHECK(data->count == (uint64_t)ROUNDS * (uint64_t)THREADS);
	upc_lock(own);
	CHECK(upc_lock_attempt(own) == 0);
	upc_unlock(own);
	upc_lock_free(own);
	upc_lock_free(0);
	upc_all_lock_free(lock);
}

static upcrt_shared shared_of(volatile void *address)
{
	return (upcrt_shared)(uintptr_t)address - UPCRT_BASE;
}

static void check_atomics(void)
{
	int all = HUPC__GET | HUPC__SET | HUPC__CSWAP | HUPC__ADD | HUPC__SUB | HUPC__INC | HUPC__DEC | HUPC__MIN |
		  HUPC__MAX | HUPC__MULT;
	int bits = HUPC__AND | HUPC__OR | HUPC__XOR;
	upcrt_shared u32 = upc_all_atomicdomain_alloc(HUPC__UINT32, all | bits, 0);
	upcrt_shared i64 = upc_all_atomicdomain_alloc(HUPC__INT64, all | bits, 0);
	upcrt_shared real = upc_all_atomicdomain_alloc(HUPC__DOUBLE, all, 0);
	upcrt_shared single = upc_all_atomicdomain_alloc(HUPC__FLOAT, all, 0);
	upcrt_shared pts = upc_all_atomicdomain_alloc(HUPC__PTS, HUPC__GET | HUPC__SET | HUPC__CSWAP, 0);
	uint32_t one = 1, seen32;
	int64_t minus = -5, seen64, me = -MYTHREAD;
	double half = 0.5, seen_real;
	float two = 2, seen_single;

	for (int round = 0; round < ROUNDS; round++) {
		upc_atomic_relaxed(u32, &seen32, HUPC__ADD, shared_of(&data->small), &one, NULL);
		upc_atomic_strict(real, NULL, HUPC__ADD, shared_of(&data->real), &half, NULL);
		upc_atomic_relaxed(i64, NULL, round % 2 ? HUPC__INC : HUPC__DEC, shared_of(&data->whole), NULL, NULL);
	}
	upc_atomic_relaxed(i64, NULL, HUPC__MIN, shared_of(&data->whole), &me, NULL);
	upc_atomic_relaxed(single, NULL, HUPC__ADD, shared_of(&data->single), &two, NULL);
	BARRIER();
	upc_atomic_relaxed(u32, &seen32, HUPC__GET, shared_of(&data->small), NULL, NULL);
	CHECK(seen32 == (uint32_t)(ROUNDS * THREADS));
	upc_atomic_relaxed(real, &seen_real, HUPC__GET, shared_of(&data->real), NULL, NULL);
	CHECK(seen_real == 0.5 * ROUNDS * THREADS);
	upc_atomic_relaxed(single, &seen_single, HUPC__GET, shared_of(&data->single), NULL, NULL);
	CHECK(seen_single == 2.0F * (float)THREADS);
	BARRIER();
	if (MYTHREAD == THREADS - 1) {
		upcrt_shared old, new = UPCRT_POINTER(3, 0, 4096), same = UPCRT_POINTER(1, 0, 4096), none = 0;
		upc_atomic_relaxed(i64, NULL, HUPC__SET, shared_of(&data->whole), &minus, NULL);
		upc_atomic_relaxed(i64, &seen64, HUPC__XOR, shared_of(&data->whole), &minus, NULL);
		CHECK(seen64 == -5 && data->whole == 0);
		upc_atomic_relaxed(i64, &seen64, HUPC__MAX, shared_of(&data->whole), &minus, NULL);
		CHECK(seen64 == 0 && data->whole == 0);
		upc_atomic_relaxed(pts, NULL, HUPC__SET, shared_of(&data->pointer), &new, NULL);
		upc_atomic_strict(pts, &old, HUPC__CSWAP, shared_of(&data->pointer), &same, &none);
		CHECK(old == new && data->pointer == 0); /* pointers are equal even if their phases differ */
		upc_atomic_strict(pts, &old, HUPC__CSWAP, shared_of(&data->pointer), &same, &new);
		CHECK(old == 0 && data->pointer == 0);
	}
	CHECK(upc_atomic_isfast(HUPC__INT, HUPC__ADD, 0) && !upc_atomic_isfast(HUPC__PTS, HUPC__ADD, 0));
	upc_all_atomicdomain_free(u32);
	upc_all_atomicdomain_free(i64);
	upc_all_atomicdomain_free(real);
	upc_all_atomicdomain_free(single);
	upc_all_atomicdomain_free(pts);
	upc_all_atomicdomain_free(0);
}

static void check_transfers(void)
{
	upcrt_shared array = upc_all_alloc((size_t)THREADS, 64), mine = array + UPCRT_POINTER(0, MYTHREAD, 0);
	upcrt_shared right = array + UPCRT_POINTER(0, (MYTHREAD + 1) % THREADS, 0);
	char text[64] = "", local[64] = "";

	snprintf(text, sizeof(text), "from %d", MYTHREAD);
	upc_memput(right, text, 32);
	BARRIER();
	upc_memcpy(mine + 32, mine, 32);
	upc_memget(local, mine + 32, 32);
	snprintf(text, sizeof(text), "from %d", (MYTHREAD + THREADS - 1) % THREADS);
	CHECK(!strcmp(local, text));
	upc_memset(mine, 'x', 3);
	CHECK(!strncmp(UPCRT_ADDRESS(mine), "xxxm", 4));
	uint64_t handle = upc_memget_nb(local, mine, 8);
	CHECK(upc_sync_attempt(handle));
	upc_memput_nbi(mine, "yy", 2);
	upc_synci();
	CHECK(upc_synci_attempt() && !strncmp(upc_cast(mine), "yyxm", 4));
	upc_sync(upc_memset_nb(mine, 'z', 1));
	upc_sync(upc_memcpy_nb(mine + 1, mine, 1));
	upc_sync(upc_memput_nb(mine + 2, "w", 1));
	CHECK(!strncmp(UPCRT_ADDRESS(mine), "zzwm", 4));
	CHECK(upc_thread_info(0).guaranteed == 0xf && upc_cast(0) == NULL);
	uint64_t ticks = upc_ticks_now();
	CHECK(upc_ticks_to_ns(upc_ticks_now() - ticks) < UINT64_C(60000000000));
	upc_all_free(array);
}

static void check_queries(void)
{
	uint64_t sum = 0;

	CHECK(upc_threadof(UPCRT_POINTER(5, 1, 77)) == 1 && upc_phaseof(UPCRT_POINTER(5, 1, 77)) == 5);
	CHECK(upc_addrfield(UPCRT_POINTER(5, 1, 77)) == 77);
	CHECK(upc_resetphase(UPCRT_POINTER(5, 1, 77)) == UPCRT_POINTER(0, 1, 77));
	for (size_t size = 0; size < 100; size += 7) {
		for (size_t block = 0; block < 20; block += 3) {
			sum = 0;
			for (size_t t = 0; t < (size_t)THREADS; t++) {
				size_t mine = 0;
				for (size_t i = 0; i < size; i++)
					mine += (block ? i / block % (size_t)THREADS : 0) == t;
				CHECK(upc_affinitysize(size, block, t) == mine);
				sum += mine;
			}
			CHECK(sum == size);
		}
	}
	for (uint64_t x = 0; x < 100000; x += 37)
		CHECK((uint64_t)((unsigned __int128)__upcrt_threads_inverse * (x + 1) >> 64) == x / (uint64_t)THREADS);
	for (uint64_t x = UINT64_C(1) << 53; x > (UINT64_C(1) << 53) - 2100; x--)
		CHECK((uint64_t)((unsigned __int128)__upcrt_threads_inverse * x >> 64) == (x - 1) / (uint64_t)THREADS);
}

int __upcrt_user_main(int argc, char **argv)
{
	(void)argc, (void)argv;
	data = UPCRT_ADDRESS(upc_all_alloc(1, sizeof(*data)));
	if (MYTHREAD == 0)
		memset((void *)data, 0, sizeof(*data));
	BARRIER();
	check_barriers();
	check_locks();
	check_atomics();
	check_transfers();
	check_queries();
	BARRIER();
	if (MYTHREAD == 0)
		print_line("passed");
	return 0;
}
