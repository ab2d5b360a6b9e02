/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of waiting: the clock, futexes, pauses. Context: any thread. */
#include "upc/network/ucx.h"
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LONG_YIELD 200000 /* ns */
#define SLEEPS 64         /* waits that sleep after a long yield */

int64_t hupc__ucx_now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

void hupc__ucx_sleep_on(atomic_uint *word, unsigned value, int64_t ns)
{
	const struct timespec limit = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &limit, NULL, 0);
}

void hupc__ucx_wake_one(atomic_uint *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void pause_processor(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

void hupc__ucx_relax(void)
{
	if (hupc__ucx.crowded) {
		sched_yield();
		return;
	}
	for (int i = 0; i < 8; i++)
		pause_processor();
}

/*
 * Among threads that wait for messages, a yield takes microseconds. Where other threads compute, it takes as long as
 * their time slices, several milliseconds, and a thread that sleeps gets the processor sooner after its message has
 * arrived. The counter may lose a step of another thread.
 */
bool hupc__ucx_yield(void)
{
	static atomic_uint sleeps; /* waits that still are to sleep */
	unsigned left = atomic_load_explicit(&sleeps, memory_order_relaxed);
	int64_t begin;
	if (left) {
		atomic_store_explicit(&sleeps, left - 1, memory_order_relaxed);
		return false;
	}
	begin = hupc__ucx_now();
	sched_yield();
	if (hupc__ucx_now() - begin > LONG_YIELD)
		atomic_store_explicit(&sleeps, SLEEPS, memory_order_relaxed);
	return true;
}
