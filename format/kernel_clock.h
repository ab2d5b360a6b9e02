/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's clock, read by the system call itself: a library that is preloaded to simulate another time replaces
 * clock_gettime(3), and perhaps syscall(2). Context: any thread, signal.
 */
#ifndef HEDDLE_FORMAT_KERNEL_CLOCK_H
#define HEDDLE_FORMAT_KERNEL_CLOCK_H

#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Returns 0; any other value: there is no such clock. */
static inline int heddle__kernel_gettime(clockid_t clock, struct timespec *time)
{
#if defined(__x86_64__)
	long result = SYS_clock_gettime;
	__asm__ volatile("syscall" : "+a"(result) : "D"((long)clock), "S"(time) : "rcx", "r11", "memory");
	return (int)result;
#elif defined(__aarch64__)
	register long number __asm__("x8") = SYS_clock_gettime;
	register long result __asm__("x0") = clock;
	register struct timespec *into __asm__("x1") = time;
	__asm__ volatile("svc 0" : "+r"(result) : "r"(number), "r"(into) : "memory");
	return (int)result;
#else
	return (int)syscall(SYS_clock_gettime, clock, time);
#endif
}

/* Returns nanoseconds; 0: there is no such clock. */
static inline uint64_t heddle__kernel_clock_ns(clockid_t clock)
{
	struct timespec time = {0, 0};
	if (heddle__kernel_gettime(clock, &time))
		return 0;
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

#endif
