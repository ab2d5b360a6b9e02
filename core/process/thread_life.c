/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Life cycle of a measured thread: its context begins, does deferred work when it is left, ends, and is reset after a
 * fork. All parts with state per thread are called from here. heddle__leave runs catch_up in signal handlers.
 */
#include "core/process/thread_life.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/blame/blame.h"
#include "core/counters/counting.h"
#include "core/host/host_functions.h"
#include "core/host/host_signal.h"
#include "core/process/keeper.h"
#include "core/threads/control.h"
#include "core/threads/excluded.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "core/threads/start_node.h"
#include "core/trace/tracing.h"
#include "core/tree/tree.h"

static _Thread_local struct heddle_thread *former; /* the context of this thread, which has ended */
static pthread_key_t end_key;
static size_t default_stack_size = (size_t)8 << 20;

size_t heddle__default_stack_size(void)
{
	return default_stack_size;
}

/* Returns the CPU time of deferred periods. Those of a wall clock or of an event may contain any CPU time, or none. */
static uint64_t cpu_of_deferred(const struct heddle_thread *thread, uint64_t periods)
{
	if (thread->sampled.period_cpu_ns)
		return periods * thread->sampled.period_cpu_ns;
	uint64_t now = heddle__clock_ns(CLOCK_THREAD_CPUTIME_ID), charged = thread->sampled.charged_ns;
	return now > charged ? now - charged : 0;
}

static void block_all_but_faults(sigset_t *before)
{
	sigset_t set;
	sigfillset(&set);
	for (int number = 1; number < NSIG; number++) {
		if (heddle__is_fault(number))
			sigdelset(&set, number);
	}
	HEDDLE_REAL(pthread_sigmask)(SIG_BLOCK, &set, before);
}

/*
 * Blocks signals: a handler that leaves by siglongjmp would abandon this in the middle of an event, which would then be
 * processed twice or never.
 */
static void process_events(struct heddle_thread *thread)
{
	sigset_t before;
	block_all_but_faults(&before);
	atomic_fetch_and_explicit(&thread->wanted, (uint8_t)~HEDDLE_WANTED_EVENTS, memory_order_relaxed);
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		if (heddle__frontends[i]->catch_up)
			heddle__frontends[i]->catch_up(thread);
	}
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &before, NULL);
}

static void catch_up(struct heddle_thread *thread)
{
	if (HEDDLE_UNLIKELY(atomic_load_explicit(&thread->wanted, memory_order_relaxed) & HEDDLE_WANTED_EVENTS))
		process_events(thread);
	/* Read and reset atomically: otherwise a handler's request in between would be lost. */
	const uint8_t switches = HEDDLE_WANTED_ON | HEDDLE_WANTED_OFF;
	uint8_t wanted = atomic_fetch_and_explicit(&thread->wanted, (uint8_t)~switches, memory_order_relaxed);
	if (wanted & switches)
		heddle__apply_control(thread, wanted & HEDDLE_WANTED_ON);
	uint64_t periods = atomic_exchange_explicit(&thread->pending, 0, memory_order_relaxed);
	if (!periods)
		return;
	uint32_t parent = heddle__current_node(thread);
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_STATE, HEDDLE_STATE_HEDDLE);
	struct heddle_slot *slot = heddle__event_slot(thread, parent, meta, 0);
	uint64_t cpu = cpu_of_deferred(thread, periods);
	slot->value[HEDDLE_METRIC_SAMPLES] += periods;
	slot->value[HEDDLE_METRIC_CPU_TIME] += cpu;
	uint64_t now = heddle__measured_ticks();
	uint64_t elapsed = heddle__elapsed_of_sample(thread, periods, cpu, now);
	slot->value[HEDDLE_METRIC_WALL_TIME] += elapsed;
	if (heddle__is_traced(thread))
		heddle__trace_sample(thread, now, slot->node, periods, cpu, elapsed);
	thread->sampled.charged_ns += cpu;
	if (heddle__blames)
		heddle__blame_sample(thread, heddle__slot(thread, parent));
}

/* Destructors run in rounds. Those of the program may do work, so this one is deferred to the last round. */
static void at_thread_end(void *argument)
{
	struct heddle_thread *thread = argument;
	if (atomic_load(&heddle__run_state) == HEDDLE_OFF)
		return;
	if (++thread->end_rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
		pthread_setspecific(end_key, thread);
		return;
	}
	bool own = thread->role == HEDDLE_THREAD_HEDDLE;
	heddle__thread_end(thread);
	if (!own && heddle__threads_all_ended())
		heddle__keeper_end_before_last();
}

int heddle__threads_init(void)
{
	pthread_attr_t attributes;
	if (pthread_attr_init(&attributes) == 0) {
		pthread_attr_getstacksize(&attributes, &default_stack_size);
		pthread_attr_destroy(&attributes);
	}
	heddle__catch_up = catch_up;
	return -pthread_key_create(&end_key, at_thread_end);
}

static void find_stack(struct heddle_thread *thread, size_t stack_size)
{
	extern void *__libc_stack_end;
	if (thread->role == HEDDLE_THREAD_MAIN) {
		thread->stack_high = ((uintptr_t)__libc_stack_end | 0xfff) + 1;
		stack_size = (size_t)256 << 20;
	} else {
		thread->stack_high = (uintptr_t)pthread_self(); /* glibc has its record at the top of the stack */
	}
	thread->stack_low = thread->stack_high > stack_size ? thread->stack_high - stack_size : 0;
}

/*
 * Excludes CPU time that the main thread used before Heddle started, like elapsed time: process start, loader,
 * constructors; and, after an exec, all of the previous program, which is in that program's profile.
 */
static void skip_start(struct heddle_thread *thread)
{
	thread->sampled.charged_ns = thread->sampled.paused_cpu_ns = heddle__clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Resets the state that the last owner has left: nothing is open. */
static void begin_anew(struct heddle_thread *thread)
{
	thread->base = thread->start.creator;
	thread->off = false;
	atomic_store(&thread->times.frozen_cpu_ns, 0);
	heddle__update_special(thread);
	thread->times.off_ticks = 0;
	heddle__stack_clear(&thread->stack);
	thread->idle_slot = NULL;
	thread->idles = false;
	thread->blamed = (struct heddle_blamed){0};
	thread->last_task_node = 0;
}

/* Sets what the context records about its owner. */
static void describe_owner(struct heddle_thread *thread, size_t stack_size)
{
	heddle__thread_belongs_to(thread, (pid_t)syscall(SYS_gettid));
	thread->uses++;
	find_stack(thread, stack_size);
	prctl(PR_GET_NAME, thread->name);
	begin_anew(thread);
	atomic_store_explicit(&thread->rank, 0, memory_order_relaxed);
	thread->sampled.owner_samples = 0;
	thread->end_rounds = 0;
	uint64_t now = heddle__clock_ns(CLOCK_MONOTONIC);
	thread->times.start_ns = thread->times.start_ns ? thread->times.start_ns : now;
	thread->times.end_ns = 0;
	thread->times.start_ticks = thread->last_ticks = thread->sampled.ticks = heddle__measured_ticks();
	thread->sampled.owed_ticks = 0;
	thread->sampled.charged_ns = 0; /* a thread's CPU clock starts at 0 */
	if (thread->role == HEDDLE_THREAD_MAIN)
		skip_start(thread);
}

/* Without samples, time outside all regions is charged to the program, or to the thread's start routine. */
static void charge_outermost(struct heddle_thread *thread)
{
	if (heddle__events_give_time) /* from the thread's start on */
		thread->idle_slot = heddle__slot(thread, heddle__thread_start_node(thread));
}

/*
 * Makes the context, which was entered, the calling thread's; from now on, signal handlers defer their events to it.
 * False: a handler has made another one.
 */
static bool become_own(struct heddle_thread *thread)
{
	struct heddle_thread *none = NULL;
	if (__atomic_compare_exchange_n(&heddle__self, &none, thread, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return true;
	atomic_store(&thread->inside, 0);
	heddle__thread_release(thread);
	return false;
}

static void begin(struct heddle_thread *thread, size_t stack_size)
{
	describe_owner(thread, stack_size);
	former = NULL;
	pthread_setspecific(end_key, thread);
	charge_outermost(thread);
	heddle__trace_thread_begin(thread);
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		if (heddle__frontends[i]->thread_begin)
			heddle__frontends[i]->thread_begin(thread);
	}
	heddle__counting_begin(thread);
	heddle__leave(thread);
}

struct heddle_thread *heddle__thread_begin(struct heddle_thread *thread, size_t stack_size)
{
	int cancel_state;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state); /* the program's cleanup is not set up yet */
	heddle__enter(thread);
	if (become_own(thread))
		begin(thread, stack_size);
	pthread_setcancelstate(cancel_state, NULL);
	return heddle__self;
}

static bool may_have_context(void)
{
	return !heddle__is_excluded() && atomic_load(&heddle__run_state) != HEDDLE_OFF;
}

struct heddle_thread *heddle__thread_make(unsigned int role)
{
	if (former || !may_have_context())
		return NULL;
	struct heddle_thread *thread = heddle__thread_of(gettid()); /* assigned to this thread by another */
	if (!thread)
		thread = heddle__thread_acquire(0, role);
	return thread ? heddle__thread_begin(thread, default_stack_size) : NULL;
}

/*
 * Begins a context in which only events are counted: of a thread whose time is complete, or that shares another's
 * storage. A thread that acquires the context later must check whether this one still exists.
 */
static void begin_with_events(struct heddle_thread *thread)
{
	uint64_t now = heddle__clock_ns(CLOCK_MONOTONIC);
	thread->tid = gettid();
	atomic_store(&thread->life, HEDDLE_LIFE_LINGERS);
	begin_anew(thread);
	thread->times.start_ns = thread->times.start_ns ? thread->times.start_ns : now;
	thread->times.end_ns = thread->times.end_ns ? thread->times.end_ns : now;
	thread->last_ticks = heddle__measured_ticks();
	heddle__trace_thread_begin(thread);
	heddle__trace_thread_end(thread);
	heddle__counting_skip(thread);
	heddle__leave(thread);
}

/* This thread was counted in `former`, which another thread has now. A context without owners takes the count. */
static void count_in(struct heddle_thread *thread)
{
	uint32_t uses = atomic_load(&former->uses);
	if (atomic_load(&thread->uses))
		return;
	while (uses && !atomic_compare_exchange_weak(&former->uses, &uses, uses - 1))
		continue;
	atomic_store(&thread->uses, 1);
}

struct heddle_thread *heddle__thread_resume(void)
{
	if (!former || !may_have_context())
		return NULL;
	struct heddle_thread *thread = former;
	if (!heddle__thread_retake(thread))
		thread = heddle__thread_acquire(former->start.routine, former->role);
	if (!thread)
		return NULL;
	heddle__enter(thread);
	if (become_own(thread)) {
		thread->start.creator = former->start.creator;
		count_in(thread);
		find_stack(thread, former->start.stack_size ? former->start.stack_size : default_stack_size);
		begin_with_events(thread);
	}
	return heddle__self;
}

/* ---- threads that share another's storage ---- */

_Atomic bool heddle__shares_storage;

void heddle__threads_share_storage(void)
{
	if (atomic_exchange(&heddle__shares_storage, true))
		return;
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		if (heddle__frontends[i]->storage_shared)
			heddle__frontends[i]->storage_shared();
	}
}

static struct heddle_thread *find_lingering(pid_t tid)
{
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		if (atomic_load(&thread->life) == HEDDLE_LIFE_LINGERS && thread->tid == tid)
			return thread;
	}
	return NULL;
}

/* Makes the context of a thread that lingers; the address of its stack is unknown. */
static struct heddle_thread *make_lingering(void)
{
	struct heddle_thread *thread = heddle__thread_acquire(0, HEDDLE_THREAD_OTHER);
	if (!thread)
		return NULL;
	heddle__enter(thread);
	thread->uses++;
	thread->stack_low = thread->stack_high = 0;
	prctl(PR_GET_NAME, thread->name);
	begin_with_events(thread);
	return thread;
}

/* Blocks signals: the events of a handler would make a second context. */
static struct heddle_thread *make_only_one(pid_t tid)
{
	sigset_t all, before;
	sigfillset(&all);
	HEDDLE_REAL(pthread_sigmask)(SIG_BLOCK, &all, &before);
	struct heddle_thread *found = find_lingering(tid);
	if (!found)
		found = make_lingering();
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &before, NULL);
	return found;
}

struct heddle_thread *heddle__thread_really(struct heddle_thread *thread)
{
	pid_t tid = gettid();
	if (!thread || thread->tid == tid)
		return thread;
	struct heddle_thread *found = find_lingering(tid);
	return found || !may_have_context() ? found : make_only_one(tid);
}

void heddle__thread_end(struct heddle_thread *thread)
{
	if (thread != heddle__self)
		return;
	heddle__enter(thread);
	heddle__counting_end(thread);
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		if (heddle__frontends[i]->thread_end)
			heddle__frontends[i]->thread_end(thread);
	}
	heddle__blame_leave(thread);
	uint64_t now = heddle__measured_ticks();
	heddle__charge_elapsed(thread, now); /* to regions that the program left open */
	thread->times.cpu_ns += heddle__clock_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t off = thread->times.off_ticks +
		       (thread->off && now > thread->times.off_since ? now - thread->times.off_since : 0);
	thread->times.wall_ticks += now - thread->times.start_ticks - off;
	heddle__apply_control(thread, true);
	heddle__trace_thread_end(thread);
	thread->times.end_ns = heddle__clock_ns(CLOCK_MONOTONIC);
	if (!thread->named)
		prctl(PR_GET_NAME, thread->name); /* the program may have named it */
	heddle__stack_clear(&thread->stack);
	thread->idle_slot = NULL;
	heddle__leave(thread);
	/* A function that was abandoned must not stay for the next owner of the context. */
	thread->entered = (struct heddle_entered){0};
	atomic_store_explicit(&thread->inside, 0, memory_order_relaxed);
	former = thread;
	heddle__self = NULL;
	pthread_setspecific(end_key, NULL);
	atomic_store(&thread->life, HEDDLE_LIFE_ENDED);
}

static void forget(struct heddle_thread *thread)
{
	heddle__slots_clear(&thread->slots, heddle__counters());
	heddle__partners_clear(&thread->partners);
	heddle__exchanges_clear(&thread->exchanges);
	atomic_store(&thread->pending, 0);
	thread->sampled.samples = thread->sampled.owner_samples = 0;
	thread->times.cpu_ns = thread->times.wall_ticks = thread->sampled.paused_cpu_ns = 0;
	thread->uses = 0;
}

void heddle__threads_after_fork(void)
{
	struct heddle_thread *self = heddle__self;
	heddle__excluded_after_fork();
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		forget(thread);
		if (thread != self) {
			atomic_store(&thread->inside, 0);
			thread->role = HEDDLE_THREAD_OTHER;
			thread->start.routine = UINTPTR_MAX; /* its values were removed; it is not recycled */
			atomic_store(&thread->life, HEDDLE_LIFE_FREE);
		}
	}
	if (!self)
		return;
	self->uses = 1;
	self->times.end_ns = 0;
	atomic_store(&self->life, HEDDLE_LIFE_ACTIVE);
	self->tid = (pid_t)syscall(SYS_gettid);
	self->times.start_ns = heddle__clock_ns(CLOCK_MONOTONIC);
	self->times.start_ticks = self->last_ticks = self->sampled.ticks = heddle__measured_ticks();
	self->sampled.owed_ticks = 0;
	self->times.off_ticks = 0;
	self->times.off_since = self->times.start_ticks;
	self->sampled.charged_ns = 0;
}
