/* SPDX-License-Identifier: BSD-3-Clause */
/* A preloaded library that shows the program a false time: years ahead, and a hundred times as fast. */
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SPEED 100
#define AHEAD_S 1000000000

static struct timespec read_clock(clockid_t clock)
{
	struct timespec now = {0, 0};
	syscall(SYS_clock_gettime, clock, &now);
	unsigned long long ns =
		((unsigned long long)now.tv_sec % 1000000 * 1000000000 + (unsigned long long)now.tv_nsec) * SPEED;
	now.tv_sec = now.tv_sec / 1000000 * 1000000 + (time_t)(ns / 1000000000) + AHEAD_S;
	now.tv_nsec = (long)(ns % 1000000000);
	return now;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	*now = read_clock(clock);
	return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict unused)
{
	struct timespec time = read_clock(CLOCK_REALTIME);
	(void)unused;
	now->tv_sec = time.tv_sec;
	now->tv_usec = time.tv_nsec / 1000;
	return 0;
}

time_t time(time_t *into)
{
	time_t now = read_clock(CLOCK_REALTIME).tv_sec;
	if (into)
		*into = now;
	return now;
}

int timer_settime(timer_t timer, int flags, const struct itimerspec *when, struct itimerspec *before)
{
	struct itimerspec slower = *when;
	slower.it_interval.tv_nsec /= SPEED;
	slower.it_value.tv_nsec /= SPEED;
	return (int)syscall(SYS_timer_settime, (int)(long)timer, flags, &slower, before);
}
