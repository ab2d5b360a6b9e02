/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The keeper, and what is done in its place while it does not run. It starts when the program has a second thread, so a
 * single-threaded program stays single-threaded. It sleeps most of the time, with all signals blocked. Its time is
 * charged to `[heddle]`. It ends when the program is single-threaded again, and before the last thread of the program
 * ends (the main thread called pthread_exit), which then runs the exit handlers.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/process/keeper.h"

#include "core/base/log.h"
#include "core/base/patience.h"
#include "core/base/settings.h"
#include "core/host/host_signal.h"
#include "core/host/own_thread.h"
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "core/process/thread_life.h"
#include "core/threads/control.h"
#include "core/threads/excluded.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "core/trace/tracing.h"

#define FIRST_NAP_NS 1000000u
#define LONGEST_NAP_NS 20000000u
#define CALIBRATE_NS 100000000u
#define LONELY_NS 200000000u    /* how long the keeper continues to run while it is not needed */
#define PATIENCE_NS 2000000000u /* time-out of its start and end, and of the lock */
#define HANDLER_PATIENCE_NS \
	100000000u /* time-out of its end in a signal handler, which may have interrupted what delays the end */
#define SLICE_NS 50000000
#define ROOM_ON_STACK ((size_t)128 << 10) /* for refreshing the list of modules in a signal handler */
#define DEEPEST_STACK ((size_t)4 << 20)   /* other stacks may be below */
#define LINKS_OF_ONE_TASK 3               /* hard links of /proc/self/task: two, plus one for each thread */

enum stage {
	ABSENT,
	CHANGES, /* a thread is waiting for the last keeper's end or starting the next, without the lock */
	RUNS,
	LEFT, /* ending or ended; no thread has waited for its end yet */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held with all signals blocked */
static _Atomic int stage;
static _Atomic uint32_t stopping;  /* a futex */
static _Atomic uint32_t finished;  /* a futex: the keeper's work is done */
static _Atomic uint32_t away;      /* number of calls in progress during which it must not run */
static _Atomic bool barred, ended; /* never reset: threads or system calls are restricted; measurement ends */
static _Atomic pid_t owner;        /* the process that started it; 0: not started */
static int (*flush)(void);
static _Atomic pid_t keeper_tid;

static void account_for_itself(void)
{
	struct heddle_thread *thread = heddle__thread_acquire(0, HEDDLE_THREAD_HEDDLE);
	if (thread)
		heddle__thread_begin(thread, heddle__default_stack_size());
}

static void tick_frontends(void)
{
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		if (heddle__frontends[i]->tick)
			heddle__frontends[i]->tick();
	}
}

static bool is_flushing(void)
{
	return heddle__trace_flush_seconds() > 0;
}

static enum heddle_keeper_need need(void)
{
	enum heddle_keeper_need most = is_flushing() ? HEDDLE_KEEPER_ALWAYS : HEDDLE_KEEPER_NEVER;
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		enum heddle_keeper_need its =
			heddle__frontends[i]->needs_keeper ? heddle__frontends[i]->needs_keeper() : HEDDLE_KEEPER_NEVER;
		most = its > most ? its : most;
	}
	return most;
}

static bool is_wanted(void)
{
	if (atomic_load(&barred) || atomic_load(&ended) || atomic_load(&heddle__run_state) == HEDDLE_OFF)
		return false;
	switch (need()) {
	case HEDDLE_KEEPER_ALWAYS:
		return true;
	case HEDDLE_KEEPER_WITH_THREADS:
		return heddle__threads_alive() + heddle__excluded_alive() > 1;
	case HEDDLE_KEEPER_NEVER:
		break;
	}
	return false;
}

/* Returns early when the keeper is to stop. */
static void sleep_for(uint64_t ns)
{
	struct timespec pause = {0, (long)ns};
	syscall(SYS_futex, &stopping, FUTEX_WAIT_PRIVATE, 0, &pause, NULL, 0);
}

static void request_stop(void)
{
	atomic_store(&stopping, 1);
	syscall(SYS_futex, &stopping, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* True if the keeper has not been needed for LONELY_NS: it ends, and the next thread that begins starts a new one. */
static bool lonely(uint64_t now, uint64_t *since)
{
	if (is_wanted() || atomic_load(&stopping)) {
		*since = now;
		return false;
	}
	if (now - *since < LONELY_NS || pthread_mutex_trylock(&lock))
		return false;
	int here = RUNS; /* still CHANGES until its starter has set RUNS */
	bool leaves = !is_wanted() && atomic_compare_exchange_strong(&stage, &here, LEFT);
	pthread_mutex_unlock(&lock);
	return leaves;
}

static void *keep(void *unused)
{
	uint64_t nap = FIRST_NAP_NS, now = heddle__clock_ns(CLOCK_MONOTONIC);
	uint64_t calibrated = now, flushed = now, accompanied = now;
	uint64_t flush_ns = (uint64_t)heddle__trace_flush_seconds() * 1000000000u;
	atomic_store(&keeper_tid, gettid());
	prctl(PR_SET_NAME, "heddle");
	account_for_itself();
	while (!atomic_load(&stopping) && !heddle__threads_all_ended() && !lonely(now, &accompanied)) {
		sleep_for(nap);
		nap = heddle__modules_stale() ? FIRST_NAP_NS : nap * 2 < LONGEST_NAP_NS ? nap * 2 : LONGEST_NAP_NS;
		heddle__modules_refresh();
		tick_frontends();
		now = heddle__clock_ns(CLOCK_MONOTONIC);
		if (now - calibrated > CALIBRATE_NS) {
			heddle__clock_calibrate();
			calibrated = now;
		}
		bool due = (flush_ns && now - flushed >= flush_ns) || heddle__trace_wants_profile();
		if (flush && due && !atomic_load(&stopping)) {
			flush();
			flushed = now;
		}
	}
	heddle__trace_writer_stop();
	atomic_store(&finished, 1);
	syscall(SYS_futex, &finished, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
	return unused;
}

/* ---- starting and stopping ---- */

struct hold {
	struct heddle_signal_guard guard;
	bool in_handler;
};

/*
 * A signal handler does not wait for the lock: it may have interrupted code that the lock's holder waits for. For the
 * same reason threads are started and waited for without the lock: the C library acquires its own locks there.
 * pthread_mutex_clocklock is not used, as older runtimes of ThreadSanitizer do not intercept it, and report the unlock
 * as an error of the program. If CLOCK_REALTIME is set meanwhile, the wait is shorter, or lasts until the holder's
 * time-outs.
 */
static bool take_lock(struct hold *hold)
{
	heddle__guard_signals(&hold->guard);
	hold->in_handler = !sigisemptyset(&hold->guard.before); /* perhaps */
	uint64_t until = heddle__clock_ns(CLOCK_REALTIME) + PATIENCE_NS;
	struct timespec give_up = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
	int error = hold->in_handler ? pthread_mutex_trylock(&lock) : pthread_mutex_timedlock(&lock, &give_up);
	if (error)
		heddle__release_signals(&hold->guard);
	return !error;
}

static void wait_for_change(void)
{
	struct heddle_patience patience;
	heddle__patience_renew(&patience);
	while (atomic_load(&stage) == CHANGES && heddle__patience_lasts(&patience, PATIENCE_NS))
		sched_yield();
}

/* Waits until the kernel has removed the thread, shortly after it has finished. False: it did not end in time. */
static bool wait_until_gone(uint64_t most_ns)
{
	struct heddle_patience patience;
	bool lasts = true;
	heddle__patience_renew(&patience);
	while (!atomic_load(&finished) && lasts) {
		struct timespec slice = {0, SLICE_NS};
		syscall(SYS_futex, &finished, FUTEX_WAIT_PRIVATE, 0, &slice, NULL, 0);
		lasts = heddle__patience_lasts(&patience, most_ns);
	}
	while (lasts && !syscall(SYS_tgkill, getpid(), atomic_load(&keeper_tid), 0)) {
		sched_yield();
		lasts = heddle__patience_lasts(&patience, most_ns);
	}
	return lasts;
}

/*
 * Ends the keeper; called with the lock held. True if a keeper was running and has ended. If it did not end within a
 * signal handler's time-out, the next handler does not wait: frequent handlers would leave no time to the interrupted
 * code.
 */
static bool leave(bool in_handler)
{
	static _Atomic bool slow;
	int before = atomic_load(&stage);
	if (before != RUNS && before != LEFT)
		return false;
	request_stop();
	atomic_store(&stage, LEFT);
	if (in_handler && before == LEFT && atomic_load(&slow))
		return false;
	bool gone = wait_until_gone(in_handler ? HANDLER_PATIENCE_NS : PATIENCE_NS);
	atomic_store(&slow, !gone);
	return gone && before == RUNS;
}

/*
 * Called with the lock held. If it returns true, only the caller may start a keeper or wait for its end after releasing
 * the lock. False: nothing is to be done.
 */
static bool begin_change(bool *left)
{
	int before = atomic_load(&stage);
	*left = before == LEFT;
	if (before != ABSENT && before != LEFT)
		return false;
	atomic_store(&stage, CHANGES);
	return true;
}

static void complain(int error)
{
	static _Atomic bool said;
	if (is_flushing())
		heddle__warn_once(
			&said, "cannot start a thread: %s; no profile is written before the end", strerror(-error));
	else
		heddle__inform("cannot start a thread: %s; new libraries are sampled more slowly", strerror(-error));
}

/* Starts a keeper during a change; returns the next stage. Memory that this allocates is not charged to the program. */
static enum stage start(void)
{
	struct heddle_thread *self = heddle__thread_self();
	atomic_store(&stopping, 0);
	atomic_store(&finished, 0);
	if (atomic_load(&away)) /* incremented before reading `stage`, which was set to CHANGES before this */
		return ABSENT;
	if (self)
		heddle__enter(self);
	bool writes = heddle__trace_writer_start();
	int error = heddle__start_own_thread(keep);
	if (error && writes) { /* the limit of threads may allow only one */
		heddle__trace_writer_stop();
		error = heddle__start_own_thread(keep);
	}
	if (self)
		heddle__leave(self);
	if (error)
		complain(error);
	return error ? ABSENT : RUNS;
}

void heddle__keeper_init(int (*write_profile)(void))
{
	flush = write_profile;
}

void heddle__keeper_start(void)
{
	struct hold hold;
	bool left;
	if (atomic_load(&stage) == RUNS || !is_wanted())
		return;
	int saved = errno;
	if (take_lock(&hold)) {
		bool changes = begin_change(&left);
		atomic_store(&owner, getpid());
		pthread_mutex_unlock(&lock);
		if (changes)
			atomic_store(&stage, left && !wait_until_gone(PATIENCE_NS) ? LEFT : start());
		heddle__release_signals(&hold.guard);
	}
	errno = saved;
}

void heddle__keeper_stop(void)
{
	atomic_store(&ended, true);
	request_stop();
}

void heddle__keeper_after_fork(void)
{
	pthread_mutex_init(&lock, NULL);
	atomic_store(&stage, ABSENT);
	atomic_store(&away, 0);
	atomic_store(&ended, false);
}

/* ---- calls during which no other thread may run ---- */

/* False in a vfork child: its keeper is the parent's. */
static bool may_be_there(void)
{
	return atomic_load(&stage) != ABSENT && atomic_load(&owner) == getpid();
}

void heddle__keeper_leave(struct heddle_alone *alone)
{
	struct hold hold;
	int saved = errno;
	*alone = (struct heddle_alone){.left = false};
	atomic_fetch_add(&away, 1);
	if (may_be_there() && take_lock(&hold)) {
		if (!hold.in_handler)
			wait_for_change();
		alone->in_handler = hold.in_handler;
		alone->left = leave(hold.in_handler);
		pthread_mutex_unlock(&lock);
		heddle__release_signals(&hold.guard);
	}
	errno = saved;
}

/* Starting a thread allocates, which signal handlers must not; a caller with signals blocked may be one. */
void heddle__keeper_return(const struct heddle_alone *alone)
{
	atomic_fetch_sub(&away, 1);
	if (alone->left && !alone->in_handler)
		heddle__keeper_start();
}

bool heddle__keeper_give_way(void)
{
	struct hold hold;
	if (!may_be_there())
		return false;
	int saved = errno;
	bool gone = false, left;
	if (take_lock(&hold)) {
		wait_for_change();
		gone = leave(hold.in_handler);
		bool changes = begin_change(&left);
		pthread_mutex_unlock(&lock);
		if (changes)
			atomic_store(&stage, left && !wait_until_gone(PATIENCE_NS) ? LEFT : ABSENT);
		heddle__release_signals(&hold.guard);
	}
	atomic_store(&barred, true);
	errno = saved;
	return gone;
}

void heddle__keeper_end_before_last(void)
{
	struct hold hold;
	if (!may_be_there() || !take_lock(&hold))
		return;
	wait_for_change();
	leave(false);
	pthread_mutex_unlock(&lock);
	heddle__release_signals(&hold.guard);
}

void heddle__keeper_bar(void)
{
	atomic_store(&barred, true);
}

/* ---- the keeper's work while it does not run ---- */

/* True if the handler's stack has room. False for an alternate stack: it is small, and may lie in the thread's. */
static bool has_room(const struct heddle_thread *thread)
{
	uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
	stack_t alternate;
	if (sigaltstack(NULL, &alternate) || (alternate.ss_flags & SS_ONSTACK))
		return false;
	size_t limit = heddle__default_stack_size();
	size_t most = limit - limit / 4; /* arguments and environment may use a quarter */
	if (most > DEEPEST_STACK)
		most = DEEPEST_STACK;
	return thread->role == HEDDLE_THREAD_MAIN && sp < thread->stack_high &&
	       thread->stack_high - sp + ROOM_ON_STACK < most;
}

/* False for code of the C library and the dynamic linker, which may have been interrupted while acquiring a lock. */
static bool may_take_locks(uintptr_t pc)
{
	const struct heddle_module *module = heddle__module_find(pc);
	return module && module->role != HEDDLE_MODULE_LIBC;
}

static bool is_only_thread(void)
{
	struct stat about;
	return !stat("/proc/self/task", &about) && about.st_nlink == LINKS_OF_ONE_TASK;
}

static void charge_to_heddle(struct heddle_thread *thread, uint64_t ns)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_STATE, HEDDLE_STATE_HEDDLE);
	struct heddle_slot *slot = heddle__event_slot(thread, heddle__current_node(thread), meta, 0);
	slot->value[HEDDLE_METRIC_CPU_TIME] += ns;
	if (heddle__is_traced(thread))
		heddle__trace_add(thread, slot->node, HEDDLE_METRIC_CPU_TIME, ns);
	thread->sampled.charged_ns += ns;
}

static void learn_of_modules(struct heddle_thread *thread, uintptr_t pc)
{
	if (!has_room(thread) || !may_take_locks(pc) || !is_only_thread())
		return;
	uint64_t before = heddle__clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (heddle__modules_refresh_alone())
		charge_to_heddle(thread, heddle__clock_ns(CLOCK_THREAD_CPUTIME_ID) - before);
}

void heddle__keeper_stand_in(struct heddle_thread *thread, uintptr_t pc)
{
	static _Atomic uint64_t calibrate_at, learn_at; /* ticks */
	if (atomic_load_explicit(&stage, memory_order_relaxed) == RUNS)
		return;
	uint64_t now = heddle__ticks();
	if (now > atomic_load_explicit(&calibrate_at, memory_order_relaxed)) {
		atomic_store_explicit(&calibrate_at, now + heddle__ns_to_ticks(CALIBRATE_NS), memory_order_relaxed);
		heddle__clock_calibrate();
	}
	if (now > atomic_load_explicit(&learn_at, memory_order_relaxed) || heddle__modules_stale()) {
		atomic_store_explicit(&learn_at, now + heddle__ns_to_ticks(LONGEST_NAP_NS), memory_order_relaxed);
		learn_of_modules(thread, pc);
	}
}
