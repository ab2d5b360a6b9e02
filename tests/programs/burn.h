/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Burns a known amount of CPU time: until the calling thread's CPU clock has advanced by that amount, so that the truth
 * holds however the threads are preempted. On a simulated machine it is exactly that many milliseconds, rounded up.
 * Inlined, so that the named function that burns is the leaf.
 */
#ifndef BURN_H
#define BURN_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "../support/simulated.h"

#define NOINLINE __attribute__((noinline, noclone))
#ifdef __clang__
#undef NOINLINE
#define NOINLINE __attribute__((noinline))
#endif

static inline uint64_t thread_cpu_ns(void)
{
	struct timespec t;
	if (simulated())
		return simulated_time(CLOCK_THREAD_CPUTIME_ID);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The fraction of the time to burn: less in runs that check no times (BURN_PERCENT, same_behaviour of run/lib.sh). */
static double burn_share = 1;

__attribute__((constructor, no_instrument_function, unused)) static void find_burn_share(void)
{
	const char *percent = getenv("BURN_PERCENT");
	if (percent)
		burn_share = atof(percent) / 100;
}

/* Returns the time that it took, in ns. Reads the clock, which is a system call, only every 50 us or so. */
static inline __attribute__((always_inline)) uint64_t burn_ms(double ms)
{
	uint64_t start = thread_cpu_ns(), end = start + (uint64_t)(ms * 1e6), now;
	if (simulated()) {
		end = start + (end - start + 999999) / 1000000 * 1000000;
		simulated_burn(end - start);
		return end - start;
	}
	end = start + (uint64_t)(ms * 1e6 * burn_share);
	do {
		for (int i = 0; i < 60000; i++)
			__asm__ volatile("" ::"r"(i));
		now = thread_cpu_ns();
	} while (now < end);
	return now - start;
}

static inline uint64_t process_cpu_ns(void)
{
	struct rusage u;
	if (simulated())
		return simulated_time(CLOCK_PROCESS_CPUTIME_ID);
	getrusage(RUSAGE_SELF, &u);
	return (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000u +
	       (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000u;
}

/* Prints "name share ns", a line of the truth: the time of a function in all threads. */
static inline void print_share(const char *name, double ns, double all)
{
	printf("%s %.5f %.0f\n", name, ns / all, ns);
}

/* Returns the value in kB of a line of /proc/self/status, such as "VmHWM:", or -1 if there is no such line. */
static inline long status_kb(const char *key)
{
	char line[256];
	long value = -1;
	FILE *file = fopen("/proc/self/status", "r");
	while (file && fgets(line, sizeof line, file)) {
		if (strncmp(line, key, strlen(key)) == 0)
			sscanf(line + strlen(key), "%ld", &value);
	}
	if (file)
		fclose(file);
	return value;
}

#endif
