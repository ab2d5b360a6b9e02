/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * It sleeps until a buffer is full, with all signals blocked. A thread and not io_uring: docs/traces.md has what was
 * measured.
 */
#include "core/trace/trace_writer.h"

#include <linux/futex.h>
#include <pthread.h>
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
#include "core/trace/trace_buffers.h"
#include "core/trace/tracing.h"

#define GONE_NS 1000000000u

static pthread_t writer;
static _Atomic pid_t writer_tid;
static _Atomic bool runs, expected, stopping, sleeps;
static _Atomic uint32_t work; /* a futex */
static bool started;

bool heddle__trace_writer_runs(void)
{
	return atomic_load_explicit(&runs, memory_order_relaxed) ||
	       atomic_load_explicit(&expected, memory_order_relaxed);
}

void heddle__trace_writer_wake(void)
{
	atomic_fetch_add(&work, 1);
	if (atomic_load(&sleeps))
		syscall(SYS_futex, &work, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* At most for that time. */
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
	prctl(PR_SET_NAME, "heddle");
	unsigned int before = heddle__trace_window_phase();
	while (!atomic_load(&stopping)) {
		uint32_t seen = atomic_load(&work);
		heddle__trace_write_full(heddle__measured_ticks());
		unsigned int phase = heddle__trace_window_phase();
		if (phase != before)
			heddle__trace_ask(false);
		before = phase;
		sleep_until_woken(seen, heddle__trace_window_rest());
	}
	return unused;
}

static bool is_needed(void)
{
	return heddle__tracing && !heddle__trace_policy.last_ns;
}

void heddle__trace_writer_expect(bool expect)
{
	atomic_store(&expected, expect && is_needed());
}

void heddle__trace_writer_start(void)
{
	if (!is_needed())
		return;
	atomic_store(&stopping, false);
	int error = heddle__start_own_thread(&writer, write_buffers);
	started = !error;
	atomic_store(&runs, started);
	atomic_store(&expected, false);
	if (error)
		heddle__inform("cannot start a thread: %s; threads write their traces themselves", strerror(-error));
}

void heddle__trace_writer_stop(void)
{
	if (!started)
		return;
	started = false;
	atomic_store(&runs, false);
	atomic_store(&stopping, true);
	heddle__trace_writer_wake();
	pthread_join(writer, NULL);
	/* The kernel removes it shortly after it has let go of its stack. */
	uint64_t until = heddle__clock_ns(CLOCK_MONOTONIC) + GONE_NS;
	while (!syscall(SYS_tgkill, getpid(), atomic_load(&writer_tid), 0) && heddle__clock_ns(CLOCK_MONOTONIC) < until)
		sched_yield();
}

void heddle__trace_writer_after_fork(void)
{
	started = false;
	atomic_store(&runs, false);
	atomic_store(&expected, false);
	atomic_store(&sleeps, false);
}
