/* SPDX-License-Identifier: BSD-3-Clause */
/* sleeps: burns 200 ms in burn_here and sleeps 600 ms in sleep_here, whatever interrupts it. */
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

int main(void)
{
	burn_here();
	sleep_here();
	puts("awake");
	return 0;
}
