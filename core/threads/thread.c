/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The list of all thread contexts: contexts are acquired, released and recycled, never removed. What happens when a
 * thread begins and ends is in core/process/thread_life.c. Runs in signal handlers, except acquiring.
 */
#include "core/threads/thread.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/threads/control.h"
#include "core/threads/listeners.h"

#define NO_THREAD ((pid_t)-1)

_Thread_local struct heddle_thread *heddle__self;
static struct heddle_thread *_Atomic all;
static _Atomic uint32_t next_id;
void (*heddle__catch_up)(struct heddle_thread *thread);

struct heddle_thread *heddle__threads(void)
{
	return atomic_load_explicit(&all, memory_order_acquire);
}

static bool take(struct heddle_thread *thread, uint8_t life)
{
	return atomic_compare_exchange_strong(&thread->life, &life, HEDDLE_LIFE_ACQUIRED);
}

static bool is_gone(pid_t tid)
{
	int saved = errno;
	bool gone = syscall(SYS_tgkill, getpid(), tid, 0) && errno == ESRCH;
	errno = saved;
	return gone;
}

/* Whoever replaces the last owner's kernel id takes the context: by now it may linger for another thread. */
static bool take_lingering(struct heddle_thread *thread)
{
	pid_t tid = __atomic_load_n(&thread->tid, __ATOMIC_RELAXED);
	if (!is_gone(tid) ||
		!__atomic_compare_exchange_n(&thread->tid, &tid, NO_THREAD, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		return false;
	return take(thread, HEDDLE_LIFE_LINGERS);
}

static bool take_ended(struct heddle_thread *thread)
{
	if (atomic_load_explicit(&thread->life, memory_order_relaxed) == HEDDLE_LIFE_LINGERS)
		return take_lingering(thread);
	return take(thread, HEDDLE_LIFE_ENDED);
}

static struct heddle_thread *reuse(uintptr_t start_routine, unsigned int role)
{
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		if (thread->start.routine == start_routine && thread->role == role &&
			!atomic_load_explicit(&thread->rank, memory_order_relaxed) && take_ended(thread))
			return thread;
	}
	return NULL;
}

bool heddle__thread_retake(struct heddle_thread *thread)
{
	return take(thread, HEDDLE_LIFE_ENDED);
}

struct heddle_thread *heddle__thread_acquire(uintptr_t start_routine, unsigned int role)
{
	struct heddle_thread *thread = role == HEDDLE_THREAD_MAIN ? NULL : reuse(start_routine, role);
	if (thread)
		return thread;
	thread = heddle__map(sizeof(*thread));
	if (!thread)
		return NULL;
	thread->id = atomic_fetch_add(&next_id, 1);
	thread->role = (uint8_t)role;
	thread->start.routine = start_routine;
	thread->number = -1;
	heddle__stack_init(&thread->stack, thread->first_regions, HEDDLE_FIRST_REGIONS);
	atomic_store(&thread->life, HEDDLE_LIFE_ACQUIRED);
	thread->next = heddle__threads();
	while (!atomic_compare_exchange_weak(&all, &thread->next, thread))
		;
	return thread;
}

struct heddle_thread *heddle__thread_of(pid_t tid)
{
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		if (atomic_load(&thread->life) == HEDDLE_LIFE_ACTIVE && thread->tid == tid)
			return thread;
	}
	return NULL;
}

void heddle__thread_belongs_to(struct heddle_thread *thread, pid_t tid)
{
	thread->tid = tid;
	atomic_store(&thread->life, HEDDLE_LIFE_ACTIVE);
}

void heddle__thread_release(struct heddle_thread *thread)
{
	atomic_store(&thread->life, HEDDLE_LIFE_ENDED);
}

void heddle__update_special(struct heddle_thread *thread)
{
	bool values = thread->off || thread->counting || thread->counts_places || heddle__regions_are_heard;
	bool slow_clock = HEDDLE_MAY_HAVE_TSC && !heddle__clock_is_tsc;
	thread->special = (values ? HEDDLE_SPECIAL_VALUES : 0) | (slow_clock ? HEDDLE_SPECIAL_CLOCK : 0) |
			  (thread->trace ? HEDDLE_SPECIAL_TRACE : 0);
}

/* Signal handlers nest, so each change is one atomic operation. */
void heddle__want(struct heddle_thread *thread, enum heddle_wanted what, uint8_t instead_of)
{
	uint8_t before = atomic_load_explicit(&thread->wanted, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&thread->wanted, &before,
		(uint8_t)((before & ~instead_of) | what), memory_order_relaxed, memory_order_relaxed))
		;
}

static bool is_alive(const struct heddle_thread *thread)
{
	uint8_t life = atomic_load(&thread->life);
	return thread->role != HEDDLE_THREAD_HEDDLE && (life == HEDDLE_LIFE_ACTIVE || life == HEDDLE_LIFE_ACQUIRED);
}

uint32_t heddle__threads_alive(void)
{
	uint32_t count = 0;
	for (const struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next)
		count += is_alive(thread);
	return count;
}

bool heddle__threads_all_ended(void)
{
	bool any = false;
	for (const struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		if (is_alive(thread))
			return false;
		any |= thread->role != HEDDLE_THREAD_HEDDLE;
	}
	return any;
}

/* Repeats for samples and requests that arrive meanwhile. At the end they stay deferred, and the writer counts them. */
void heddle__leave_late(struct heddle_thread *thread)
{
	bool may;
	do {
		atomic_store_explicit(&thread->inside, 1, memory_order_relaxed);
		atomic_thread_fence(memory_order_seq_cst); /* the writer sees `inside`, or this thread sees it read */
		may = !heddle__is_read_at_rest();
		if (may)
			heddle__catch_up(thread);
		atomic_signal_fence(memory_order_seq_cst);
		atomic_store_explicit(&thread->inside, 0, memory_order_relaxed);
		atomic_signal_fence(memory_order_seq_cst);
	} while (may && heddle__has_put_off(thread));
}
