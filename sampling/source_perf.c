/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * periods() runs in signal handlers. The kernel's CPU clock for one thread, as a perf event that signals on overflow:
 * it delivers at the rate asked for, where POSIX CPU timers are bound to the kernel's tick, and it needs no privilege
 * as long as kernel code is left out. Leaving it out also means that no system call is ever interrupted. Any other
 * event that is counted outside the kernel will do (--sample-event); then periods are numbers of that.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sampling/source.h"

struct heddle_perf_code heddle__source_perf_code = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK};

static int open_event(pid_t tid, uint64_t period)
{
	return heddle__perf_open(&heddle__source_perf_code, tid, -1, period, true);
}

static bool works(bool wall)
{
	if (wall)
		return false;
	int fd = open_event(0, 1000000);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static int arm(struct heddle_timer *timer, pid_t tid, int signal, uint64_t first, uint64_t period)
{
	struct f_owner_ex owner = {F_OWNER_TID, tid};
	int fd = open_event(tid, first);
	if (fd < 0)
		return fd;
	if (fcntl(fd, F_SETSIG, signal) || fcntl(fd, F_SETOWN_EX, &owner) || fcntl(fd, F_SETFL, O_ASYNC) ||
		ioctl(fd, PERF_EVENT_IOC_ID, &timer->perf_id) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		int error = -errno;
		close(fd);
		return error;
	}
	timer->fd = fd;
	timer->full_period = first == period;
	timer->armed = true;
	return 0;
}

/* The program may have closed our descriptor, and got the same number for a file of its own. */
static bool is_still_ours(const struct heddle_timer *timer)
{
	uint64_t id = 0;
	return ioctl(timer->fd, PERF_EVENT_IOC_ID, &id) == 0 && id == timer->perf_id;
}

static void disarm(struct heddle_timer *timer)
{
	if (!timer->armed)
		return;
	timer->armed = false;
	if (is_still_ours(timer)) {
		ioctl(timer->fd, PERF_EVENT_IOC_DISABLE, 0);
		close(timer->fd);
	}
}

/* Closing our copy leaves the parent's event alone; disabling it would not. */
static void forget(struct heddle_timer *timer)
{
	if (timer->armed && is_still_ours(timer))
		close(timer->fd);
	timer->armed = false;
}

static void set_period(struct heddle_timer *timer, uint64_t period)
{
	ioctl(timer->fd, PERF_EVENT_IOC_PERIOD, &period);
}

static uint64_t periods(struct heddle_timer *timer, const siginfo_t *info)
{
	return timer->armed && info->si_code == POLL_IN && info->si_fd == timer->fd ? 1 : 0;
}

const struct heddle_source heddle__source_perf = {
	.name = "perf task-clock",
	.works = works,
	.arm = arm,
	.disarm = disarm,
	.forget = forget,
	.set_period = set_period,
	.periods = periods,
};
