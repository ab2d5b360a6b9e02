/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * System calls made directly. The launcher works before any constructor has run, when functions that tools or
 * sanitizers put in front of the C library's are not ready yet; and the launching process must look to tools as if it
 * had never been.
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

/* Sleep while *word is `value`, at most `milliseconds`; between processes. Context: any thread. */
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

/*
 * Behind or before a read-modify-write of memory: a full fence. On x86 that access is one itself, and only the compiler
 * has to be kept from moving others.
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

#endif
