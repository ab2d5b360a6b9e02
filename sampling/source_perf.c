/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * periods() runs in signal handlers. The kernel's CPU clock for one thread, as a perf event that signals on overflow:
 * it delivers at the rate asked for, where POSIX CPU timers are bound to the kernel's tick, and it needs no privilege
 * as long as kernel code is left out. Leaving it out also means that no system call is ever interrupted.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sampling/source.h"

#define HIGH_FD 500 /* out of the way of the program's own numbers */

static int open_event(pid_t tid, uint64_t period_ns)
{
	struct perf_event_attr attributes;
	memset(&attributes, 0, sizeof(attributes));
	attributes.size = sizeof(attributes);
	attributes.type = PERF_TYPE_SOFTWARE;
	attributes.config = PERF_COUNT_SW_TASK_CLOCK;
	attributes.sample_period = period_ns;
	attributes.exclude_kernel = 1;
	attributes.exclude_hv = 1;
	attributes.disabled = 1;
	int fd = (int)syscall(SYS_perf_event_open, &attributes, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
	int error = -errno;
	close(fd);
	return high < 0 ? error : high;
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

static int arm(struct heddle_timer *timer, pid_t tid, int signal, uint64_t first_ns, uint64_t period_ns)
{
	struct f_owner_ex owner = {F_OWNER_TID, tid};
	int fd = open_event(tid, first_ns);
	if (fd < 0)
		return fd;
	if (fcntl(fd, F_SETSIG, signal) || fcntl(fd, F_SETOWN_EX, &owner) || fcntl(fd, F_SETFL, O_ASYNC) ||
		ioctl(fd, PERF_EVENT_IOC_ID, &timer->perf_id) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		int error = -errno;
		close(fd);
		return error;
	}
	timer->fd = fd;
	timer->full_period = first_ns == period_ns;
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

static void set_period(struct heddle_timer *timer, uint64_t period_ns)
{
	ioctl(timer->fd, PERF_EVENT_IOC_PERIOD, &period_ns);
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
