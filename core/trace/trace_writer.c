/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trace writer sleeps until a buffer is full, with all signals blocked. It is a thread, and does not use io_uring:
 * docs/traces.md has measurements.
 */
#include "core/trace/trace_writer.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/host/own_thread.h"
#include "core/threads/control.h"
#include "core/threads/excluded.h"
#include "core/trace/trace_buffers.h"
#include "core/trace/tracing.h"

#define GONE_NS 1000000000u

static _Atomic pid_t writer_tid;
static _Atomic bool runs, stopping, sleeps;
static _Atomic uint32_t work;     /* a futex */
static _Atomic uint32_t finished; /* a futex */
static bool started;

bool heddle__trace_writer_runs(void)
{
	return atomic_load_explicit(&runs, memory_order_relaxed);
}

void heddle__trace_writer_wake(void)
{
	atomic_fetch_add(&work, 1);
	if (atomic_load(&sleeps))
		syscall(SYS_futex, &work, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Sleeps at most for that time. */
static void sleep_until_woken(uint32_t seen, uint64_t ns)
{
	struct timespec rest = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
	atomic_store(&sleeps, true);
	if (atomic_load(&work) == seen && !atomic_load(&stopping))
		syscall(SYS_futex, &work, FUTEX_WAIT_PRIVATE, seen, ns == UINT64_MAX ? NULL : &rest, NULL, 0);
	atomic_store(&sleeps, false);
}

static void *write_buffers(void *unused)
{
	atomic_store(&writer_tid, gettid());
	heddle__exclude_self();
	prctl(PR_SET_NAME, "heddle");
	unsigned int before = !heddle__trace_policy.windowed; /* threads began in phase 0, even if this one did not */
	while (!atomic_load(&stopping)) {
		uint32_t seen = atomic_load(&work);
		heddle__trace_write_full(heddle__measured_ticks());
		struct heddle_trace_window window = heddle__trace_window();
		if (window.phase != before)
			heddle__trace_ask(false);
		before = window.phase;
		sleep_until_woken(seen, window.rest_ns);
	}
	atomic_store(&finished, 1);
	syscall(SYS_futex, &finished, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
	return unused;
}

static bool is_needed(void)
{
	return heddle__tracing && !heddle__trace_policy.last_ns;
}

bool heddle__trace_writer_start(void)
{
	if (!is_needed())
		return false;
	atomic_store(&stopping, false);
	atomic_store(&finished, 0);
	atomic_store(&runs, true);
	int error = heddle__start_own_thread(write_buffers);
	started = !error;
	atomic_store(&runs, started);
	if (error)
		heddle__inform("cannot start a thread: %s; threads write their traces themselves", strerror(-error));
	return started;
}

void heddle__trace_writer_stop(void)
{
	if (!started)
		return;
	started = false;
	atomic_store(&runs, false);
	atomic_store(&stopping, true);
	heddle__trace_writer_wake();
	while (!atomic_load(&finished))
		syscall(SYS_futex, &finished, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	/* The kernel removes the thread shortly after it has released its stack. */
	uint64_t until = heddle__clock_ns(CLOCK_MONOTONIC) + GONE_NS;
	while (!syscall(SYS_tgkill, getpid(), atomic_load(&writer_tid), 0) && heddle__clock_ns(CLOCK_MONOTONIC) < until)
		sched_yield();
}

void heddle__trace_writer_after_fork(void)
{
	started = false;
	atomic_store(&runs, false);
	atomic_store(&sleeps, false);
}
