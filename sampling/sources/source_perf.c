/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * periods() runs in signal handlers. The kernel's CPU clock of one thread, as a perf event that signals on overflow. It
 * delivers the requested rate, whereas POSIX CPU timers are bound to the kernel's tick. Its timer is started and
 * cancelled whenever the thread is switched in and out: a cost for threads that switch often (switch_rate.c).
 *
 * There are two ways to signal. With permission to observe the kernel, SIGTRAP is sent on return from the kernel
 * (attr.sigtrap): samples of time in the kernel show where the program entered it. Otherwise, a standard signal is sent
 * on overflow outside the kernel. Both are merged while one is pending. A real-time signal would be queued, and when
 * the queue is full (RLIMIT_SIGPENDING counts all processes of the user) the kernel sends SIGIO instead, which ends the
 * program. Neither interrupts a system call.
 *
 * A program may close descriptors that it never opened, or use their numbers for its own. So each event is also held by
 * a mapping: it continues until that is removed. Without a descriptor its period cannot be changed, nor its count be
 * read; then the thread arms it anew.
 *
 * Any other event that is counted outside the kernel can be used (--sample-event); then periods are counts of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/mapping.h"
#include "sampling/sources/source.h"

#ifndef TRAP_PERF
#define TRAP_PERF 6
#endif

struct heddle_perf_code heddle__source_perf_code = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK};
bool heddle__source_perf_traps;
bool heddle__source_perf_counts;

static const struct heddle_perf_code cycles_code = {.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES};

/* True if the event signals by SIGTRAP. The claimed signal may move to another one while samples are taken. */
static bool traps_by(int signal)
{
	return heddle__source_perf_traps && signal == SIGTRAP;
}

static int open_event(
	const struct heddle_perf_code *code, struct heddle_timer *timer, pid_t tid, bool traps, uint64_t period)
{
	struct heddle_perf_sampling how = {
		.period = period,
		.by_frequency = code == &cycles_code,
		.trap = traps,
		.mark = (uint64_t)(uintptr_t)timer,
	};
	return heddle__perf_open_sampling(code, tid, &how);
}

bool heddle__source_perf_can_trap(void)
{
	return heddle__perf_try_trap(&heddle__source_perf_code) == 0;
}

static bool works(bool wall)
{
	int fd = wall ? -1 : open_event(&heddle__source_perf_code, NULL, 0, heddle__source_perf_traps, 1000000);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Checks that the event counts: a virtual machine may accept it and not count it. */
static bool counts(int fd)
{
	uint64_t values[4] = {0};
	volatile unsigned int turns = 20000;
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	while (turns)
		turns--;
	return read(fd, values, sizeof(values)) > 0 && values[3] > 0;
}

static bool works_by_cycles(bool wall)
{
	int fd = wall ? -1 : open_event(&cycles_code, NULL, 0, heddle__source_perf_traps, 1000);
	if (fd < 0)
		return false;
	bool good = counts(fd);
	close(fd);
	return good;
}

/* Directs the signal to this thread only. */
static int direct(int fd, pid_t tid, int signal)
{
	struct f_owner_ex owner = {F_OWNER_TID, tid};
	if (traps_by(signal))
		return 0;
	return fcntl(fd, F_SETSIG, signal) || fcntl(fd, F_SETOWN_EX, &owner) || fcntl(fd, F_SETFL, O_ASYNC) ? -errno
													    : 0;
}

/*
 * Maps the event without room for samples, to hold it. The page is locked memory, which may be limited for all
 * processes of the user together, so most of it is left to the program. If there is too little, only the descriptor
 * holds the event.
 */
#define PART_OF_LOCKED 8
static _Atomic uint32_t held;

static void *hold(int fd)
{
	struct rlimit limit = {0, 0};
	size_t page = (size_t)getpagesize();
	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (atomic_fetch_add(&held, 1) < limit.rlim_cur / page / PART_OF_LOCKED) {
		void *mapped = heddle__mapping(page, PROT_READ, MAP_SHARED, fd, 0);
		if (mapped)
			return mapped;
	}
	atomic_fetch_sub(&held, 1);
	return NULL;
}

static void let_go(struct heddle_timer *timer)
{
	if (!timer->hold)
		return;
	heddle__remove_mapping(timer->hold, (size_t)getpagesize());
	timer->hold = NULL;
	atomic_fetch_sub(&held, 1);
}

/* Arms an event. The timer must be complete before the first signal can arrive. */
static int arm_event(const struct heddle_perf_code *code, struct heddle_timer *timer, pid_t tid, int signal,
	uint64_t first, uint64_t period)
{
	int fd = open_event(code, timer, tid, traps_by(signal), first);
	if (fd < 0)
		return fd;
	int error = direct(fd, tid, signal);
	if (!error && ioctl(fd, PERF_EVENT_IOC_ID, &timer->perf_id))
		error = -errno;
	timer->fd = fd;
	timer->count = 0;
	timer->period = period;
	timer->full_period = first == period;
	timer->hold = hold(fd);
	timer->armed = true;
	if (!error && ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		error = -errno;
	if (error) {
		timer->armed = false;
		let_go(timer);
		close(fd);
	}
	return error;
}

static int arm(struct heddle_timer *timer, pid_t tid, int signal, uint64_t first, uint64_t period)
{
	return arm_event(&heddle__source_perf_code, timer, tid, signal, first, period);
}

/* For cycles, passes the number of signals per second; the kernel determines the period. */
static int arm_cycles(struct heddle_timer *timer, pid_t tid, int signal, uint64_t first, uint64_t period)
{
	(void)first;
	uint64_t hz = 1000000000u / period;
	return arm_event(&cycles_code, timer, tid, signal, hz, hz);
}

/* The program may have closed the descriptor, and reused its number for its own file. */
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
	timer->former_fd = timer->fd;
	if (is_still_ours(timer)) {
		ioctl(timer->fd, PERF_EVENT_IOC_DISABLE, 0);
		close(timer->fd);
	}
	let_go(timer);
}

static bool is_lost(const struct heddle_timer *timer)
{
	return timer->armed && !timer->hold && !is_still_ours(timer);
}

/* Closes the child's copy; disabling it would affect the parent's event. Mappings of events are not inherited. */
static void forget(struct heddle_timer *timer)
{
	if (timer->hold)
		atomic_fetch_sub(&held, 1);
	timer->hold = NULL;
	if (timer->armed && is_still_ours(timer))
		close(timer->fd);
	timer->armed = false;
}

static bool set_period(struct heddle_timer *timer, uint64_t period)
{
	return is_still_ours(timer) && ioctl(timer->fd, PERF_EVENT_IOC_PERIOD, &period) == 0;
}

/* SI_SIGIO replaces POLL_IN for signals whose codes have special meanings, such as SIGTRAP and SIGCHLD. */
static bool is_of_descriptor(const siginfo_t *info)
{
	return info->si_code == POLL_IN || info->si_code == SI_SIGIO;
}

static bool is_from(const struct heddle_timer *timer, const siginfo_t *info, int fd)
{
	uint64_t mark;
	if (!traps_by(info->si_signo))
		return is_of_descriptor(info) && info->si_fd == fd;
	memcpy(&mark, &info->si_addr_lsb, sizeof(mark)); /* si_perf_data, which glibc 2.36 does not name */
	return info->si_code == TRAP_PERF && mark == (uintptr_t)timer;
}

/* Returns how many periods a signal accounts for, by the event's count, as signals are merged. */
static uint64_t periods_by_count(struct heddle_timer *timer)
{
	uint64_t values[4] = {0}; /* number of values, time enabled, time running, count */
	if (!is_still_ours(timer)) {
		timer->full_period = false; /* as in the first period: the thread then arms the timer anew */
		return 1;
	}
	if (read(timer->fd, values, sizeof(values)) < (ssize_t)sizeof(values) ||
		values[3] < timer->count + timer->period)
		return 1;
	uint64_t periods = (values[3] - timer->count) / timer->period;
	timer->count += periods * timer->period;
	return periods;
}

static uint64_t periods(struct heddle_timer *timer, const siginfo_t *info)
{
	if (!timer->armed || !is_from(timer, info, timer->fd))
		return 0;
	return heddle__source_perf_counts ? periods_by_count(timer) : 1;
}

bool heddle__is_late_signal(const struct heddle_timer *timer, const siginfo_t *info)
{
	if (info->si_code == SI_TIMER)
		return timer && info->si_value.sival_ptr == timer;
	if (!timer)
		return traps_by(info->si_signo) ? info->si_code == TRAP_PERF : is_of_descriptor(info);
	return is_from(timer, info, timer->fd) || is_from(timer, info, timer->former_fd);
}

const struct heddle_source heddle__source_perf = {
	.name = "perf task-clock",
	.steady = true,
	.works = works,
	.arm = arm,
	.disarm = disarm,
	.is_lost = is_lost,
	.forget = forget,
	.set_period = set_period,
	.periods = periods,
};

/* It adds almost no cost to a context switch: the processor's counters are switched with the thread. */
const struct heddle_source heddle__source_cycles = {
	.name = "perf cycles",
	.works = works_by_cycles,
	.arm = arm_cycles,
	.disarm = disarm,
	.is_lost = is_lost,
	.forget = forget,
	.periods = periods,
};
