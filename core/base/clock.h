/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time. Ticks are the cheapest monotonic clock of the system (an invariant TSC, AArch64's virtual counter, else
 * CLOCK_MONOTONIC in ns); they are stored raw during measurement, and converted to nanoseconds by a ratio whose
 * accuracy grows with the run time.
 */
#ifndef HEDDLE_CORE_CLOCK_H
#define HEDDLE_CORE_CLOCK_H

#include "core/base/likely.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#if defined(__x86_64__) || defined(__aarch64__)
#define HEDDLE_MAY_HAVE_TSC 1
#else
#define HEDDLE_MAY_HAVE_TSC 0
#endif

extern bool heddle__clock_is_tsc;

/*
 * Reads a clock by the function in the kernel's page (vDSO), or else by the system call. clock_gettime(3) is not used:
 * the program, or a library preloaded to it, may replace it to show another time.
 */
typedef int heddle__clock_function(clockid_t clock, struct timespec *time);
extern heddle__clock_function *heddle__clock_read;

/* Nanoseconds of a POSIX clock. Context: any thread, signal. */
static inline uint64_t heddle__clock_ns(clockid_t clock)
{
	struct timespec t;
	if (heddle__clock_read(clock, &t))
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Sleeps for less than a second, or until a signal arrives, by the kernel's clock. Context: any thread, signal. */
void heddle__clock_nap(uint32_t ns);

/*
 * The CPU clock of a thread of this process, in the kernel's encoding: pthread_getcpuclockid needs a pthread_t, which
 * may not be known. Context: any thread, signal.
 */
static inline clockid_t heddle__cpu_clock_of(pid_t tid)
{
	return (clockid_t)(~(unsigned int)tid << 3 | 6);
}

/* The processor's time-stamp counter, if heddle__clock_is_tsc can be true. Context: any thread, signal. */
static inline uint64_t heddle__tsc(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc(); /* x86intrin.h has 50,000 lines */
#elif defined(__aarch64__)
	uint64_t ticks;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#else
	return 0;
#endif
}

/* Context: any thread, signal. */
static inline uint64_t heddle__ticks(void)
{
	return HEDDLE_MAY_HAVE_TSC && HEDDLE_LIKELY(heddle__clock_is_tsc) ? heddle__tsc()
									  : heddle__clock_ns(CLOCK_MONOTONIC);
}

/* Sets heddle__clock_is_tsc, and heddle__clock_read if the kernel has a page with such a function. Context: init. */
void heddle__clock_choose(void);

/* Selects the clock and measures its rate for about 50 us. Context: init. */
void heddle__clock_init(void);

/* Measures the rate again, over the whole time since init. Context: any thread, signal. */
void heddle__clock_calibrate(void);

/*
 * Measures the rate and holds it until it is released, so that a profile and the end of its trace are written with the
 * same rate even if another thread calibrates. Context: one thread at a time, signal; release also in a child.
 */
void heddle__clock_hold(void);
void heddle__clock_release(void);

/* The rate, in 2^-32 ns. Context: any thread, signal. */
uint64_t heddle__clock_rate(void);

/* Converts ticks (a duration, not a point in time) to nanoseconds, and back. Context: any thread, signal. */
uint64_t heddle__ticks_to_ns(uint64_t ticks);
uint64_t heddle__ns_to_ticks(uint64_t ns);

#endif
