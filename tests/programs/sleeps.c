/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sleeps: burns 200 ms of CPU time in burn_here and sleeps 600 ms in sleep_here, even if the sleep is interrupted.
 * Prints to standard error the elapsed time of each, which is longer if other programs run.
 */
#include "burn.h"

#include <errno.h>

static NOINLINE void burn_here(void)
{
	burn_ms(200);
}

static NOINLINE void sleep_here(void)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += 600000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		continue;
}

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(void)
{
	uint64_t start = now_ns();
	burn_here();
	uint64_t burned = now_ns();
	sleep_here();
	fprintf(stderr, "burn_ns %llu\nsleep_ns %llu\n", (unsigned long long)(burned - start),
		(unsigned long long)(now_ns() - burned));
	puts("awake");
	return 0;
}
