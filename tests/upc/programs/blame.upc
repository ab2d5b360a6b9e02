/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads wait for known functions for known times, once all others wait. Thread 0 prints how long, in ns, others
 * waited for each function: "late NS", "holder NS". On a simulated machine that is exact, and no other time passes.
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <upc.h>

#include "../../support/simulated.h"

#define ROUNDS 6
#define NOINLINE __attribute__((noinline))

static strict shared int arrived[THREADS];
static strict shared int held;
static strict shared uint64_t waited_for_late, waited_for_holder;

static uint64_t now_ns(void)
{
	struct timespec t;
	if (simulated())
		return simulated_time(CLOCK_MONOTONIC);
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns when the others are about to wait, and do; on a real machine, a moment later. */
NOINLINE static void let_others_wait(int round, bool for_lock)
{
	struct timespec moment = {0, 2000000};
	for (int t = 0; t < THREADS; t++)
		while (t != MYTHREAD && arrived[t] != round)
			sched_yield();
	while (simulated() && simulated_waiting(for_lock) < (unsigned int)THREADS - 1)
		sched_yield();
	if (!simulated())
		nanosleep(&moment, NULL);
}

static inline uint64_t work(int ms)
{
	uint64_t start = now_ns(), end = start + (uint64_t)ms * 1000000u;
	if (simulated())
		simulated_burn(end - start);
	while (now_ns() < end)
		;
	return now_ns() - start;
}

NOINLINE static uint64_t late(void)
{
	return work(100);
}

NOINLINE static uint64_t holder(void)
{
	return work(100);
}

int main(void)
{
	upc_lock_t *lock = upc_all_lock_alloc();
	for (int round = 1; round <= 2 * ROUNDS; round += 2) {
		upc_barrier;
		if (MYTHREAD == 0) {
			let_others_wait(round, false);
			waited_for_late += late() * (THREADS - 1);
		} else {
			arrived[MYTHREAD] = round;
		}
		upc_barrier;
		if (MYTHREAD == 1) {
			upc_lock(lock);
			held = round;
			let_others_wait(round + 1, true);
			waited_for_holder += holder() * (THREADS - 1);
			upc_unlock(lock);
		} else {
			while (held != round)
				;
			arrived[MYTHREAD] = round + 1;
			upc_lock(lock);
			upc_unlock(lock);
		}
	}
	upc_barrier;
	if (MYTHREAD == 0)
		printf("late %llu\nholder %llu\n", (unsigned long long)waited_for_late,
			(unsigned long long)waited_for_holder);
	return 0;
}
