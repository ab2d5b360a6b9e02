/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * periods() runs in signal handlers. POSIX timers that signal one thread: on its CPU time, if perf events are forbidden
 * (the kernel's tick limits the rate; periods that expired in between are counted), or on elapsed time. They are made
 * by system calls, as a library that simulates another time may replace the C library's functions.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "sampling/sources/source.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static int create(clockid_t clock, struct sigevent *event, int *timer)
{
	return (int)syscall(SYS_timer_create, clock, event, timer);
}

static void delete (int timer)
{
	syscall(SYS_timer_delete, timer);
}

/* Tries to create a timer: each takes an entry of the user's signal queue, which may be full. */
static bool works_on(clockid_t clock)
{
	struct sigevent event = {.sigev_notify = SIGEV_NONE};
	int timer;
	if (create(clock, &event, &timer))
		return false;
	delete (timer);
	return true;
}

static bool works_cpu(bool wall)
{
	return !wall && works_on(CLOCK_THREAD_CPUTIME_ID);
}

static bool works_wall(bool wall)
{
	return wall && works_on(CLOCK_MONOTONIC);
}

static struct timespec to_timespec(uint64_t ns)
{
	return (struct timespec){.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
}

static int arm_on(
	clockid_t clock, struct heddle_timer *timer, pid_t tid, int signal, uint64_t first_ns, uint64_t period_ns)
{
	struct sigevent event;
	struct itimerspec when = {.it_interval = to_timespec(period_ns), .it_value = to_timespec(first_ns)};
	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = signal;
	event.sigev_notify_thread_id = tid;
	event.sigev_value.sival_ptr = timer;
	if (create(clock, &event, &timer->posix))
		return -errno;
	timer->full_period = true;
	timer->armed = true; /* before the first signal can arrive */
	if (syscall(SYS_timer_settime, timer->posix, 0, &when, NULL)) {
		int error = -errno;
		timer->armed = false;
		delete (timer->posix);
		return error;
	}
	return 0;
}

static int arm_cpu(struct heddle_timer *timer, pid_t tid, int signal, uint64_t first_ns, uint64_t period_ns)
{
	return arm_on(heddle__cpu_clock_of(tid), timer, tid, signal, first_ns, period_ns);
}

static int arm_wall(struct heddle_timer *timer, pid_t tid, int signal, uint64_t first_ns, uint64_t period_ns)
{
	return arm_on(CLOCK_MONOTONIC, timer, tid, signal, first_ns, period_ns);
}

static void disarm(struct heddle_timer *timer)
{
	if (!timer->armed)
		return;
	timer->armed = false;
	delete (timer->posix);
}

/* Nothing is to be deleted: a child does not inherit timers. */
static void forget(struct heddle_timer *timer)
{
	timer->armed = false;
}

static uint64_t periods(struct heddle_timer *timer, const siginfo_t *info)
{
	if (!timer->armed || info->si_code != SI_TIMER || info->si_value.sival_ptr != timer)
		return 0;
	return 1 + (info->si_overrun > 0 ? (uint64_t)info->si_overrun : 0);
}

const struct heddle_source heddle__source_posix_cpu = {
	.name = "POSIX timer on thread CPU time",
	.kernel = true, /* the kernel checks these timers on return to the program */
	.works = works_cpu,
	.arm = arm_cpu,
	.disarm = disarm,
	.forget = forget,
	.periods = periods,
};

const struct heddle_source heddle__source_posix_wall = {
	.name = "POSIX timer on elapsed time",
	.kernel = true,
	.works = works_wall,
	.arm = arm_wall,
	.disarm = disarm,
	.forget = forget,
	.periods = periods,
};
