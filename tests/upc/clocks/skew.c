/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded into the ranks of a job: each is a machine of its own, with a wrong clock. SKEW has "SECONDS:PPM" for each
 * rank: its clocks are ahead by that many seconds and gain that many millionths. The system's time is off the other
 * way.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000

static int rank(void)
{
	const char *text = getenv("PMI_RANK");
	if (!text)
		text = getenv("OMPI_COMM_WORLD_RANK");
	return text ? atoi(text) : 0;
}

static long skew_s, skew_ppm;

__attribute__((constructor)) static void read_skew(void)
{
	const char *text = getenv("SKEW");
	for (int i = rank(); i > 0 && text; i--) {
		text = strchr(text, ' ');
		text = text ? text + 1 : NULL;
	}
	if (text && sscanf(text, "%ld:%ld", &skew_s, &skew_ppm) != 2)
		abort();
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	int error = (int)syscall(SYS_clock_gettime, clock, time);
	long sign = clock == CLOCK_MONOTONIC ? 1 : clock == CLOCK_REALTIME ? -1 : 0;
	if (error || !sign)
		return error;
	__int128 ns = (__int128)time->tv_sec * SECOND + time->tv_nsec;
	if (sign > 0)
		ns += ns * skew_ppm / 1000000;
	ns += (__int128)sign * skew_s * SECOND;
	time->tv_sec = (time_t)(ns / SECOND);
	time->tv_nsec = (long)(ns % SECOND);
	return 0;
}

int uname(struct utsname *system)
{
	int error = (int)syscall(SYS_uname, system);
	snprintf(system->nodename, sizeof(system->nodename), "host%d", rank());
	return error;
}
