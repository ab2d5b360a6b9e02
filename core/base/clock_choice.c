/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which clocks the system has. Must not depend on ticks and rates: tests replace it by a simulated clock. */
#include "core/base/clock.h"

#include <stddef.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "core/base/vdso.h"

#if defined(__aarch64__)
#define VDSO_NAME "__kernel_clock_gettime"
#else
#define VDSO_NAME "__vdso_clock_gettime"
#endif

static bool tsc_is_invariant(void)
{
#if defined(__x86_64__)
	unsigned int a, b, c, d;
	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
#else
	return HEDDLE_MAY_HAVE_TSC; /* AArch64: a constant rate, the same on all processors, readable by programs */
#endif
}

void heddle__clock_choose(void)
{
	void *function = heddle__vdso_function(VDSO_NAME);
	if (function)
		heddle__clock_read = (heddle__clock_function *)(uintptr_t)function;
	heddle__clock_is_tsc = tsc_is_invariant();
}
