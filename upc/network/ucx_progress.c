/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lock and waiting. A waiting thread polls for a while after the last event, then sleeps on a futex. The thread
 * that makes progress checks for all waiters whether they are done: a waiter that is woken needs no lock.
 */
#include "upc/network/ucx.h"
#include <unistd.h>

#define HOLD 14000     /* ns of HUPC__UCX_SPIN without yielding the processor */
#define RETRY 16       /* waits after which a thread that yields tries again not to yield */
#define LOOK 290000000 /* ns after which a sleeping thread checks `done` itself */
#define CONTENDED 1000 /* attempts to get the lock before sleeping for it */

enum { POLLS, SLEEPS, DONE };

/* Records the owner of the lock; if the network was closed, unlocks and returns false. */
static bool hold(void)
{
	if (hupc__ucx.closed) {
		pthread_mutex_unlock(&hupc__ucx.mutex);
		return false;
	}
	atomic_store_explicit(&hupc__ucx.owner, pthread_self(), memory_order_relaxed);
	return true;
}

static bool try_enter(void)
{
	return !pthread_mutex_trylock(&hupc__ucx.mutex) && hold();
}

/* After closing, the process is about to end: the thread that closed continues, others wait for the end. */
static bool stay_out(void)
{
	while (!pthread_equal(hupc__ucx.closer, pthread_self()))
		pause();
	return false;
}

/* Polling threads yield to contenders: a mutex alone would go again to the thread that released it last. */
bool hupc__ucx_enter(void)
{
	if (atomic_load_explicit(&hupc__ucx.forked, memory_order_relaxed) || hupc__ucx_held())
		return false;
	if (try_enter())
		return true;
	atomic_fetch_add(&hupc__ucx.contenders, 1);
	for (int i = 0; i < CONTENDED; i++) {
		if (try_enter()) {
			atomic_fetch_sub(&hupc__ucx.contenders, 1);
			return true;
		}
		hupc__ucx_relax();
	}
	pthread_mutex_lock(&hupc__ucx.mutex);
	atomic_fetch_sub(&hupc__ucx.contenders, 1);
	return hold() || stay_out();
}

static void add_waiter(struct hupc__ucx_waiter *waiter)
{
	waiter->next = hupc__ucx.waiters;
	waiter->back = &hupc__ucx.waiters;
	if (waiter->next)
		waiter->next->back = &waiter->next;
	hupc__ucx.waiters = waiter;
}

/*
 * The waiter may return, and its memory be reused, as soon as its state is DONE. Waking a futex that does not exist any
 * more has no effect. The waiter counts as awake at once: the progress thread must not poll on the processor that it
 * needs.
 */
static void let_go(struct hupc__ucx_waiter *waiter)
{
	*waiter->back = waiter->next;
	if (waiter->next)
		waiter->next->back = waiter->back;
	if (atomic_exchange(&waiter->state, DONE) != SLEEPS)
		return;
	atomic_fetch_sub(&hupc__ucx.sleepers, 1);
	hupc__ucx_wake_one(&waiter->state);
}

/* Delivers messages to this thread and ends waits that are over, until nothing changes. */
static void deliver_and_wake(void)
{
	while (hupc__ucx.changed || hupc__ucx.local) {
		hupc__ucx.changed = false;
		hupc__ucx_deliver_local();
		for (struct hupc__ucx_waiter *waiter = hupc__ucx.waiters, *next; waiter; waiter = next) {
			next = waiter->next;
			if (waiter->done(waiter->data))
				let_go(waiter);
		}
	}
}

void hupc__ucx_leave(bool entered)
{
	if (!entered)
		return;
	deliver_and_wake();
	atomic_store_explicit(&hupc__ucx.owner, (pthread_t)0, memory_order_relaxed);
	pthread_mutex_unlock(&hupc__ucx.mutex);
}

bool hupc__ucx_step(void)
{
	bool some = hupc__ucx.api.ucp_worker_progress(hupc__ucx.worker) != 0;
	deliver_and_wake();
	return some;
}

/* `time`: ns since the last event or, before one, since the begin. */
static bool poll_until(const struct hupc__ucx_waiter *waiter, bool yields, int64_t *time)
{
	int64_t last = hupc__ucx_now();
	do {
		bool some;
		if (!yields && *time <= HOLD)
			hupc__ucx_relax();
		else if (!hupc__ucx_yield())
			return false;
		*time = hupc__ucx_now() - last;
		if (atomic_load_explicit(&waiter->state, memory_order_acquire) == DONE)
			return true;
		if (atomic_load_explicit(&hupc__ucx.contenders, memory_order_relaxed) || !try_enter())
			continue;
		atomic_fetch_add_explicit(&hupc__ucx.polls, 1, memory_order_relaxed);
		some = hupc__ucx_step();
		hupc__ucx_leave(true);
		if (atomic_load_explicit(&waiter->state, memory_order_acquire) == DONE)
			return true;
		if (some)
			last = hupc__ucx_now();
	} while (*time < HUPC__UCX_SPIN);
	return false;
}

/*
 * Polls until the waiter is done or the time is over. At first it does not yield the processor, because the answer
 * usually comes from another processor. If the answer took longer the last time, the sender may need this processor,
 * and polling yields at once; every RETRY waits, polling without yielding is tried again.
 */
static bool poll_for(const struct hupc__ucx_waiter *waiter)
{
	static atomic_uint waits;
	static atomic_bool slow;
	const bool yields =
		hupc__ucx.crowded || (atomic_load_explicit(&slow, memory_order_relaxed) &&
					     atomic_fetch_add_explicit(&waits, 1, memory_order_relaxed) % RETRY);
	int64_t time = 0;
	bool done = poll_until(waiter, yields, &time);
	if (!yields)
		atomic_store_explicit(&slow, time > HOLD, memory_order_relaxed);
	return done;
}

static void sleep_for(struct hupc__ucx_waiter *waiter)
{
	unsigned state = POLLS;
	if (!atomic_compare_exchange_strong(&waiter->state, &state, SLEEPS)) {
		atomic_fetch_sub(&hupc__ucx.sleepers, 1);
		return;
	}
	while (atomic_load(&waiter->state) == SLEEPS) {
		hupc__ucx_sleep_on(&waiter->state, SLEEPS, LOOK);
		if (atomic_load(&waiter->state) != SLEEPS || !hupc__ucx_enter())
			continue;
		hupc__ucx.changed = true;
		hupc__ucx_leave(true);
	}
}

void hupc__ucx_announce_wait(void)
{
	atomic_fetch_add(&hupc__ucx.spinners, 1);
}

void hupc__ucx_wait_announced(bool (*done)(void *data), void *data)
{
	struct hupc__ucx_waiter waiter = {.done = done, .data = data};
	bool outstanding;
	hupc__ucx_flush_batches();
	if (done(data)) {
		atomic_fetch_sub(&hupc__ucx.spinners, 1);
		hupc__ucx_leave(true);
		return;
	}
	add_waiter(&waiter);
	hupc__ucx_step();
	outstanding = hupc__ucx.outstanding != 0;
	hupc__ucx_leave(true);
	if (poll_for(&waiter)) {
		atomic_fetch_sub(&hupc__ucx.spinners, 1);
		return;
	}
	atomic_fetch_add(&hupc__ucx.sleepers, 1);
	atomic_fetch_sub(&hupc__ucx.spinners, 1);
	hupc__ucx_unpark();
	if (outstanding)
		hupc__ucx_nudge();
	sleep_for(&waiter);
}

void hupc__ucx_wait(bool (*done)(void *data), void *data)
{
	hupc__ucx_announce_wait();
	hupc__ucx_wait_announced(done, data);
}

void hupc__ucx_wait_until(bool (*done)(void *data), void *data)
{
	if (hupc__ucx_enter())
		hupc__ucx_wait(done, data);
}

void hupc__ucx_lock(void)
{
	hupc__ucx_enter();
}

void hupc__ucx_unlock(void)
{
	hupc__ucx_leave(hupc__ucx_held());
}

void hupc__ucx_wake(void)
{
	hupc__ucx.changed = true;
}
