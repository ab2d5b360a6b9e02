/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blame_truth THREADS ROUNDS: threads wait for known functions for known times, once all others are certain to wait.
 * Prints how long, in ns, others waited for each function: "serial NS", "late NS", "holder NS", "task_body NS".
 */
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "burn.h"

static _Atomic int about_to_wait;

static uint64_t now_ns(void)
{
	struct timespec t;
	if (simulated())
		return simulated_time(CLOCK_MONOTONIC);
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* On a simulated machine, returns when Heddle counts that many waiting threads. */
NOINLINE static void await_waiting(int count, bool for_lock)
{
	while (simulated() && simulated_waiting(for_lock) < (unsigned int)count)
		sched_yield();
}

/* Returns when that many others are about to wait, and 25 ms later, as one of them may have to wait for a processor. */
NOINLINE static void let_others_wait(int others)
{
	struct timespec moment = {0, 25000000};
	while (atomic_load(&about_to_wait) < others)
		;
	if (!simulated())
		nanosleep(&moment, NULL);
	atomic_store(&about_to_wait, 0);
}

/* Runs for MS of elapsed time; inlined, so that each function has its own code. Returns the time it took, in ns. */
static inline __attribute__((always_inline)) uint64_t work(int ms)
{
	uint64_t start = now_ns(), end = start + (uint64_t)ms * 1000000u, now;
	if (simulated()) {
		simulated_burn(end - start);
		return end - start;
	}
	do {
		for (int i = 0; i < 20000; i++)
			__asm__ volatile("" ::"r"(i));
		now = now_ns();
	} while (now < end);
	return now - start;
}

NOINLINE static uint64_t serial(void)
{
	return work(40);
}

NOINLINE static uint64_t late(void)
{
	return work(30);
}

NOINLINE static uint64_t holder(void)
{
	return work(30);
}

NOINLINE static uint64_t task_body(void)
{
	return work(20);
}

NOINLINE static void wait_at_barrier(uint64_t *took)
{
	int others = omp_get_num_threads() - 1;
	if (omp_get_thread_num() != 0) {
		atomic_fetch_add(&about_to_wait, 1);
	} else {
		let_others_wait(others);
		await_waiting(others, false);
		*took += late() * (uint64_t)others;
	}
#pragma omp barrier
}

NOINLINE static void wait_for_critical(uint64_t *took)
{
	static _Atomic int held;
	int others = omp_get_num_threads() - 1;
	while (omp_get_thread_num() != 1 && !atomic_load(&held))
		;
	if (omp_get_thread_num() != 1)
		atomic_fetch_add(&about_to_wait, 1);
#pragma omp critical(known)
	if (omp_get_thread_num() == 1) {
		atomic_store(&held, 1);
		let_others_wait(others);
		await_waiting(others, true);
		*took += holder() * (uint64_t)others;
	}
#pragma omp barrier
	if (omp_get_thread_num() == 1)
		atomic_store(&held, 0);
#pragma omp barrier
}

/*
 * Another thread runs the task in the barrier that follows. The task waits until all threads, its own included, are
 * about to wait: a thread that has not yet left the previous barrier counts as waiting, too.
 */
NOINLINE static void wait_for_task(uint64_t *took)
{
	static _Atomic int runs;
	int threads = omp_get_num_threads(), others = threads - 1;
	if (omp_get_thread_num() == 0) {
#pragma omp task shared(took)
		{
			atomic_store(&runs, 1);
			let_others_wait(threads);
			await_waiting(others, false);
			*took += task_body() * (uint64_t)others;
		}
		while (!atomic_load(&runs))
			;
		atomic_fetch_add(&about_to_wait, 1);
#pragma omp taskwait
		atomic_store(&runs, 0);
	} else {
		atomic_fetch_add(&about_to_wait, 1);
	}
#pragma omp barrier
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 2, rounds = argc > 2 ? atoi(argv[2]) : 10;
	uint64_t in_serial = 0, in_late = 0, in_holder = 0, in_task = 0;
#pragma omp parallel num_threads(threads)
	atomic_store(&about_to_wait, 0); /* from here on threads can be idle */
	for (int round = 0; round < rounds; round++) {
		await_waiting(threads - 1, false);
		in_serial += serial() * (uint64_t)(threads - 1);
#pragma omp parallel num_threads(threads)
		{
			wait_at_barrier(&in_late);
			wait_for_critical(&in_holder);
			wait_for_task(&in_task);
		}
	}
	printf("serial %llu\nlate %llu\nholder %llu\ntask_body %llu\n", (unsigned long long)in_serial,
		(unsigned long long)in_late, (unsigned long long)in_holder, (unsigned long long)in_task);
	return 0;
}
