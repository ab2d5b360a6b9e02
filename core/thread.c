/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of thread contexts: acquired, begun, ended, reused; and the registry of them all. */
#include "core/thread.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/control.h"
#include "core/counting.h"
#include "core/frontend.h"
#include "core/memory.h"
#include "core/module.h"
#include "core/region.h"
#include "core/tree.h"

_Thread_local struct heddle_thread *heddle__self;
static _Thread_local bool ended;

static struct heddle_thread *_Atomic all;
static _Atomic uint32_t next_id;
static pthread_key_t end_key;
static size_t default_stack_size = (size_t)8 << 20;

struct heddle_thread *heddle__threads(void)
{
	return atomic_load_explicit(&all, memory_order_acquire);
}

size_t heddle__default_stack_size(void)
{
	return default_stack_size;
}

/* Destructors run in rounds; the program's may do work, so ours waits for the last round. */
static void at_thread_end(void *argument)
{
	struct heddle_thread *thread = argument;
	if (++thread->end_rounds < PTHREAD_DESTRUCTOR_ITERATIONS)
		pthread_setspecific(end_key, thread);
	else
		heddle__thread_end(thread);
}

int heddle__threads_init(void)
{
	pthread_attr_t attributes;
	if (pthread_attr_init(&attributes) == 0) {
		pthread_attr_getstacksize(&attributes, &default_stack_size);
		pthread_attr_destroy(&attributes);
	}
	return -pthread_key_create(&end_key, at_thread_end);
}

static struct heddle_thread *reuse(uintptr_t start_routine, enum heddle_thread_role role)
{
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		uint8_t life = HEDDLE_LIFE_ENDED;
		if (thread->start_routine == start_routine && thread->role == role &&
			!atomic_load_explicit(&thread->rank, memory_order_relaxed) &&
			atomic_compare_exchange_strong(&thread->life, &life, HEDDLE_LIFE_ACQUIRED))
			return thread;
	}
	return NULL;
}

struct heddle_thread *heddle__thread_acquire(uintptr_t start_routine, enum heddle_thread_role role)
{
	struct heddle_thread *thread = role == HEDDLE_THREAD_MAIN ? NULL : reuse(start_routine, role);
	if (thread)
		return thread;
	thread = heddle__map(sizeof(*thread));
	if (!thread)
		return NULL;
	thread->id = atomic_fetch_add(&next_id, 1);
	thread->role = (uint8_t)role;
	thread->start_routine = start_routine;
	thread->openmp_number = -1;
	thread->regions = thread->first_regions;
	thread->region_room = HEDDLE_FIRST_REGIONS;
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

static void find_stack(struct heddle_thread *thread, size_t stack_size)
{
	extern void *__libc_stack_end;
	if (thread->role == HEDDLE_THREAD_MAIN) {
		thread->stack_high = ((uintptr_t)__libc_stack_end | 0xfff) + 1;
		stack_size = (size_t)256 << 20;
	} else {
		thread->stack_high = (uintptr_t)__builtin_thread_pointer(); /* glibc keeps it at the stack's top */
	}
	thread->stack_low = thread->stack_high > stack_size ? thread->stack_high - stack_size : 0;
}

void heddle__tell_special(struct heddle_thread *thread)
{
	bool values = thread->off || thread->counting || heddle__blames;
	bool slow_clock = HEDDLE_MAY_HAVE_TSC && !heddle__clock_is_tsc;
	thread->special = (values ? HEDDLE_SPECIAL_VALUES : 0) | (slow_clock ? HEDDLE_SPECIAL_CLOCK : 0);
}

/*
 * What the main thread took before Heddle was there is not measured, as elapsed time is not: the system's part of its
 * start, the loader's, constructors'; and all of a program that executed this one, whose profile has it.
 */
static void skip_start(struct heddle_thread *thread)
{
	thread->charged_ns = thread->paused_cpu_ns = heddle__clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* What the context says of its owner. */
static void describe_owner(struct heddle_thread *thread, size_t stack_size)
{
	heddle__thread_belongs_to(thread, (pid_t)syscall(SYS_gettid));
	thread->uses++;
	find_stack(thread, stack_size);
	prctl(PR_GET_NAME, thread->name);
	thread->base = HEDDLE_TREE_ROOT;
	thread->off = false;
	heddle__tell_special(thread);
	thread->off_ticks = 0;
	atomic_store_explicit(&thread->rank, 0, memory_order_relaxed);
	thread->depth = thread->task = thread->lost_depth = 0;
	thread->idle_slot = NULL;
	thread->idles = false;
	thread->blamed = (struct heddle_blamed){0};
	thread->owner_samples = 0;
	thread->end_rounds = 0;
	uint64_t now = heddle__clock_ns(CLOCK_MONOTONIC);
	thread->start_ns = thread->start_ns ? thread->start_ns : now;
	thread->end_ns = 0;
	thread->start_ticks = thread->last_ticks = thread->sample_ticks = heddle__measured_ticks();
	thread->charged_ns = 0; /* the CPU clock of a thread starts with it */
	if (thread->role == HEDDLE_THREAD_MAIN)
		skip_start(thread);
}

/* Without samples, time outside all regions is that of the program, or of the routine that the thread runs. */
static void charge_outermost(struct heddle_thread *thread)
{
	uint32_t node = HEDDLE_TREE_ROOT;
	if (!heddle__events_give_time)
		return;
	if (thread->start_routine)
		node = heddle__tree_child(
			node, HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0), heddle__place_of(thread->start_routine));
	thread->idle_slot = heddle__slot(thread, node); /* from the thread's start on */
}

void heddle__thread_begin(struct heddle_thread *thread, size_t stack_size)
{
	int cancel_state;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state); /* the program's cleanup is not set up yet */
	heddle__enter(thread);
	describe_owner(thread, stack_size);
	heddle__self = thread;
	ended = false;
	pthread_setspecific(end_key, thread);
	charge_outermost(thread);
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		if (heddle__frontends[i]->thread_begin)
			heddle__frontends[i]->thread_begin(thread);
	}
	heddle__counting_begin(thread);
	heddle__leave(thread);
	pthread_setcancelstate(cancel_state, NULL);
}

struct heddle_thread *heddle__thread_make(enum heddle_thread_role role)
{
	if (ended || atomic_load(&heddle__run_state) == HEDDLE_OFF)
		return NULL;
	struct heddle_thread *thread = heddle__thread_of(gettid()); /* made ready for it by another */
	if (!thread)
		thread = heddle__thread_acquire(0, role);
	if (thread)
		heddle__thread_begin(thread, default_stack_size);
	return thread;
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
	heddle__charge_elapsed(thread, now); /* of what the program left open */
	thread->cpu_ns += heddle__clock_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t off = thread->off_ticks + (thread->off && now > thread->off_since ? now - thread->off_since : 0);
	thread->wall_ticks += now - thread->start_ticks - off;
	heddle__apply_control(thread, true);
	thread->end_ns = heddle__clock_ns(CLOCK_MONOTONIC);
	heddle__leave(thread);
	ended = true;
	heddle__self = NULL;
	pthread_setspecific(end_key, NULL);
	atomic_store(&thread->life, HEDDLE_LIFE_ENDED);
}

bool heddle__threads_all_ended(void)
{
	bool any = false;
	for (const struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		if (thread->role == HEDDLE_THREAD_HEDDLE)
			continue;
		uint8_t life = atomic_load(&thread->life);
		if (life == HEDDLE_LIFE_ACTIVE || life == HEDDLE_LIFE_ACQUIRED)
			return false;
		any = true;
	}
	return any;
}

static void catch_up(struct heddle_thread *thread)
{
	/* At once: a handler that comes between asking and forgetting would switch in vain. */
	uint8_t wanted = atomic_exchange_explicit(&thread->control_wanted, HEDDLE_CONTROL_NONE, memory_order_relaxed);
	if (wanted)
		heddle__apply_control(thread, wanted == HEDDLE_CONTROL_ON);
	uint64_t periods = atomic_exchange_explicit(&thread->pending, 0, memory_order_relaxed);
	if (!periods)
		return;
	uint32_t parent = heddle__current_node(thread);
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_STATE, HEDDLE_STATE_HEDDLE);
	struct heddle_slot *slot = heddle__event_slot(thread, parent, meta, 0);
	slot->value[HEDDLE_METRIC_SAMPLES] += periods;
	slot->value[HEDDLE_METRIC_CPU_TIME] += periods * thread->period_ns;
	thread->charged_ns += periods * thread->period_ns;
	if (heddle__blames)
		heddle__blame_sample(thread, heddle__slot(thread, parent));
}

/* What comes while that is done is done, too. */
void heddle__leave_late(struct heddle_thread *thread)
{
	do {
		atomic_store_explicit(&thread->inside, 1, memory_order_relaxed);
		catch_up(thread);
		atomic_signal_fence(memory_order_seq_cst);
		atomic_store_explicit(&thread->inside, 0, memory_order_relaxed);
		atomic_signal_fence(memory_order_seq_cst);
	} while (heddle__has_put_off(thread));
}

static void forget(struct heddle_thread *thread)
{
	uint32_t count = atomic_load(&thread->slot_count);
	for (uint32_t i = 0; i < count; i++) {
		struct heddle_slot *slot = heddle__slot_at(thread, i);
		memset(slot->value, 0, sizeof(slot->value));
		if (slot->more)
			memset(slot->more, 0, (HEDDLE_METRIC_STORED - HEDDLE_METRIC_COMMON) * sizeof(*slot->more));
		if (slot->counts)
			memset(slot->counts, 0, heddle__counters() * sizeof(*slot->counts));
		slot->distributions = NULL;
	}
	atomic_store(&thread->pending, 0);
	thread->samples = thread->owner_samples = 0;
	thread->cpu_ns = thread->wall_ticks = thread->paused_cpu_ns = 0;
	thread->uses = 0;
}

void heddle__threads_after_fork(void)
{
	struct heddle_thread *self = heddle__self;
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		forget(thread);
		if (thread != self) {
			atomic_store(&thread->inside, 0);
			thread->role = HEDDLE_THREAD_OTHER;
			thread->start_routine = UINTPTR_MAX; /* its row is gone; nobody takes it over */
			atomic_store(&thread->life, HEDDLE_LIFE_FREE);
		}
	}
	if (!self)
		return;
	self->uses = 1;
	self->tid = (pid_t)syscall(SYS_gettid);
	self->start_ns = heddle__clock_ns(CLOCK_MONOTONIC);
	self->start_ticks = self->last_ticks = self->sample_ticks = heddle__measured_ticks();
	self->off_ticks = 0;
	self->off_since = self->start_ticks;
	self->charged_ns = 0;
}
