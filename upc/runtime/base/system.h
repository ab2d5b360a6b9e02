/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Direct system calls. The launch runs before any constructor, when wrappers that tools or sanitizers interpose for C
 * library functions are not initialized; and tools must not notice the launching process.
 */
#ifndef HEDDLE_UPC_RUNTIME_SYSTEM_H
#define HEDDLE_UPC_RUNTIME_SYSTEM_H

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define hupc__system(number, ...) syscall(SYS_##number, __VA_ARGS__)

/* Sleeps while *word is `value`, for at most `milliseconds`; works between processes. Context: any thread. */
static inline void hupc__futex_wait(_Atomic uint32_t *word, uint32_t value, unsigned int milliseconds)
{
	struct timespec limit = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
	int saved = errno;
	hupc__system(futex, word, FUTEX_WAIT, value, &limit, NULL, 0);
	errno = saved;
}

static inline void hupc__futex_wake(_Atomic uint32_t *word, int count)
{
	int saved = errno;
	hupc__system(futex, word, FUTEX_WAKE, count, NULL, NULL, 0);
	errno = saved;
}

/* Milliseconds of the monotonic clock. Context: any, also signal. */
static inline uint64_t hupc__now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/*
 * A full fence next to an atomic read-modify-write. On x86 that instruction is itself a full fence, so only the
 * compiler must be kept from reordering.
 */
static inline void hupc__fence_by_swap(void)
{
#if defined(__x86_64__)
	atomic_signal_fence(memory_order_seq_cst);
#else
	atomic_thread_fence(memory_order_seq_cst);
#endif
}

static inline void hupc__relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/* The processor's time-stamp counter, read after earlier loads have completed; 0 where no tool uses it. */
static inline uint64_t hupc__cycles(void)
{
#if defined(__x86_64__)
	__builtin_ia32_lfence();
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;
	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks)::"memory");
	return ticks;
#else
	return 0;
#endif
}

#endif
