/* SPDX-License-Identifier: BSD-3-Clause */
/* To be preloaded: each reading of the monotonic clock advances it by a second. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *now)
{
	static time_t looks;
	int status = (int)syscall(SYS_clock_gettime, clock, now);
	if (clock == CLOCK_MONOTONIC)
		now->tv_sec += ++looks;
	return status;
}
