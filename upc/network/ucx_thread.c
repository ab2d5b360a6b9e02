/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The progress thread. Only this thread sleeps on UCX's event descriptor. While others poll it parks, so that it does
 * not contend for the lock: it wakes up after a while and checks whether others have polled since, which costs the
 * polling threads nothing.
 *
 * While all threads compute, a request waits until this thread gets a processor. A launcher may have bound it to the
 * processor of a computing thread, which the scheduler does not always interrupt at once. The progress thread may
 * therefore run on all processors that the process is allowed to use, and requests short time slices. While a thread
 * waits, that thread's processor is free.
 */
#include "upc/network/ucx.h"
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PARK 200000    /* ns between checks whether others still poll */
#define IDLE_POLL 2000 /* ms after which it checks for work without a reason */
#define SLICE 100000   /* ns, the shortest slice that Linux allows */

/* Linux's struct sched_attr, which C libraries do not declare, or declare in their own way. */
struct schedule {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

/* The processors on which the progress thread may run. Context: progress thread. */
static struct {
	cpu_set_t bound, all; /* as bound by the launcher, and all of the process's cpuset */
	bool differ, roams;
} places;

static void find_places(void)
{
	memset(&places.all, 0xff, sizeof places.all); /* the kernel removes processors outside of the cpuset */
	if (!sched_getaffinity(0, sizeof places.bound, &places.bound) &&
		!sched_setaffinity(0, sizeof places.all, &places.all) &&
		!sched_getaffinity(0, sizeof places.all, &places.all))
		places.differ = !CPU_EQUAL(&places.bound, &places.all);
	places.roams = true;
}

static void roam(bool wanted)
{
	if (!places.differ || places.roams == wanted)
		return;
	sched_setaffinity(0, sizeof places.all, wanted ? &places.all : &places.bound);
	places.roams = wanted;
}

static atomic_ulong thread_polls;

unsigned long hupc__ucx_thread_polls(void)
{
	return atomic_load_explicit(&thread_polls, memory_order_relaxed);
}

/* Sleeps while other threads poll. */
static void park(void)
{
	unsigned seen = atomic_load(&hupc__ucx.polls), before;
	do {
		before = seen;
		atomic_store(&hupc__ucx.parked, 1);
		if (!atomic_load(&hupc__ucx.stop))
			hupc__ucx_sleep_on(&hupc__ucx.parked, 1, PARK);
		seen = atomic_load(&hupc__ucx.polls);
	} while (atomic_exchange(&hupc__ucx.parked, 0) && seen != before && !atomic_load(&hupc__ucx.stop));
}

/*
 * Handles pending messages. If a thread of this process sleeps in the network, its processor is free: polls for the
 * next event for a while after the last one. Returns true if UCX will signal the next event by its descriptor.
 */
static bool serve(void)
{
	int64_t last = 0;
	bool armed, yielded;
	hupc__ucx_enter();
	for (;;) {
		atomic_fetch_add_explicit(&thread_polls, 1, memory_order_relaxed);
		if (hupc__ucx_step()) {
			last = hupc__ucx_now();
			continue;
		}
		if (!last || atomic_load(&hupc__ucx.spinners) || !atomic_load(&hupc__ucx.sleepers) ||
			hupc__ucx_now() - last > HUPC__UCX_SPIN)
			break;
		hupc__ucx_leave(true);
		roam(false);
		yielded = hupc__ucx_yield();
		hupc__ucx_enter();
		if (!yielded)
			break;
	}
	armed = hupc__ucx.api.ucp_worker_arm(hupc__ucx.worker) == UCS_OK;
	hupc__ucx_leave(true);
	if (!atomic_load(&hupc__ucx.sleepers))
		roam(true);
	return armed;
}

static void wait_for_events(void)
{
	struct pollfd fds[2] = {{.fd = hupc__ucx.efd, .events = POLLIN}, {.fd = hupc__ucx.wakefd, .events = POLLIN}};
	uint64_t count;
	if (poll(fds, 2, IDLE_POLL) > 0 && fds[1].revents && read(hupc__ucx.wakefd, &count, sizeof count) < 0)
		return; /* no other thread reads it; poll returns at once again */
}

/* Linux 6.12 and later: with short slices, a thread gets a processor sooner, not longer. Earlier ones ignore it. */
static void take_short_slices(void)
{
	struct schedule schedule = {0};
	if (syscall(SYS_sched_getattr, 0, &schedule, sizeof schedule, 0) || schedule.policy != SCHED_OTHER)
		return;
	schedule.runtime = SLICE;
	syscall(SYS_sched_setattr, 0, &schedule, 0);
}

static void *run(void *unused)
{
	prctl(PR_SET_NAME, "heddle-upc");
	find_places();
	take_short_slices();
	while (!atomic_load(&hupc__ucx.stop)) {
		if (atomic_load(&hupc__ucx.spinners))
			park();
		else if (serve())
			wait_for_events();
	}
	return unused;
}

bool hupc__ucx_start_thread(void)
{
	hupc__ucx.wakefd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (hupc__ucx.wakefd < 0)
		return false;
	if (!pthread_create(&hupc__ucx.thread, NULL, run, NULL))
		return true;
	close(hupc__ucx.wakefd);
	return false;
}

/* Makes the progress thread do a round, for work that no descriptor signals. */
void hupc__ucx_nudge(void)
{
	const uint64_t one = 1;
	if (write(hupc__ucx.wakefd, &one, sizeof one) < 0)
		return; /* the counter is full: it is signalled already */
}

/* Wakes the progress thread, which may be parked while others poll. */
void hupc__ucx_unpark(void)
{
	if (atomic_exchange(&hupc__ucx.parked, 0))
		hupc__ucx_wake_one(&hupc__ucx.parked);
}

void hupc__ucx_stop_thread(void)
{
	atomic_store(&hupc__ucx.stop, true);
	hupc__ucx_unpark();
	hupc__ucx_nudge();
	pthread_join(hupc__ucx.thread, NULL);
	close(hupc__ucx.wakefd);
}
