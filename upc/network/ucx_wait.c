/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of waiting: the clock, futexes, pauses. Context: any thread. */
#include "upc/network/ucx.h"
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

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

void hupc__ucx_relax(bool yield)
{
	if (yield || hupc__ucx.crowded) {
		sched_yield();
		return;
	}
	for (int i = 0; i < 8; i++)
		pause_processor();
}
