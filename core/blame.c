/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Idleness. One board for the process says how many threads work and how many wait. It sums up, for each way of
 * waiting, the ticks waited for each thread that works: what a thread is charged with is by how much that grew while it
 * worked. Changing the board takes a lock for a few instructions; reading it (which samples do) takes none.
 */
#include "core/blame.h"

#include <sched.h>

#include "core/control.h"
#include "core/process.h"
#include "core/region.h"
#include "core/settings.h"
#include "core/thread.h"
#include "core/tree.h"

#define SPINS 100
#define YIELDS 100000
#define LOOKS 1000

bool heddle__blames;

struct board {
	_Atomic uint32_t taken;
	_Atomic uint32_t version; /* odd: being changed */
	_Atomic uint32_t working;
	_Atomic uint32_t waiting[HEDDLE_IDLENESS_KINDS];
	_Atomic uint64_t last;                         /* measured tick up to which the shares are */
	_Atomic uint64_t share[HEDDLE_IDLENESS_KINDS]; /* ticks for each working thread, since ever */
	_Atomic uint64_t rest[HEDDLE_IDLENESS_KINDS];  /* what could not be divided */
};

static struct board board;
static _Atomic bool given_up;

#define GET(field) atomic_load_explicit(&board.field, memory_order_relaxed)
#define SET(field, value) atomic_store_explicit(&board.field, value, memory_order_relaxed)

/* Held for nanoseconds; but a signal handler may end the program right then, and do so by ways that come along here. */
bool heddle__blame_take(_Atomic uint32_t *taken)
{
	for (uint32_t i = 0; i < YIELDS; i++) {
		uint32_t nobody = 0;
		if (atomic_load_explicit(&given_up, memory_order_relaxed))
			return false;
		if (!atomic_load_explicit(taken, memory_order_relaxed) &&
			atomic_compare_exchange_weak_explicit(
				taken, &nobody, 1, memory_order_acquire, memory_order_relaxed))
			return true;
		if (i >= SPINS)
			sched_yield();
	}
	atomic_store(&given_up, true);
	heddle__note("blame is incomplete: a thread stopped in the middle of an event");
	return false;
}

static bool open_board(void)
{
	if (!heddle__blame_take(&board.taken))
		return false;
	atomic_store_explicit(&board.version, GET(version) + 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	return true;
}

static void close_board(void)
{
	atomic_store_explicit(&board.version, GET(version) + 1, memory_order_release);
	heddle__blame_let_go(&board.taken);
}

/* What each working thread's share is at `now`, and what of the waiting nobody's. */
struct reckoning {
	uint32_t working, waiting;
	uint64_t now;
	uint64_t share[HEDDLE_IDLENESS_KINDS], rest[HEDDLE_IDLENESS_KINDS], nobodys[HEDDLE_IDLENESS_KINDS];
};

static void reckon(struct reckoning *reckoning, uint64_t now)
{
	uint64_t last = GET(last);
	reckoning->now = now > last ? now : last;
	reckoning->working = GET(working);
	reckoning->waiting = 0;
	for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++) {
		uint32_t waiting = GET(waiting[kind]);
		uint64_t ticks = (reckoning->now - last) * waiting;
		reckoning->waiting += waiting;
		reckoning->share[kind] = GET(share[kind]);
		reckoning->rest[kind] = GET(rest[kind]);
		reckoning->nobodys[kind] = 0;
		if (ticks && reckoning->working) {
			ticks += reckoning->rest[kind];
			reckoning->share[kind] += ticks / reckoning->working;
			reckoning->rest[kind] = ticks % reckoning->working;
		} else {
			reckoning->nobodys[kind] = ticks;
		}
	}
}

/* The same without the lock; `now` of 0: now. False if the board changes all the time. */
static bool look(struct reckoning *reckoning, uint64_t now)
{
	for (unsigned int i = 0; i < LOOKS; i++) {
		uint32_t version = atomic_load_explicit(&board.version, memory_order_acquire);
		reckon(reckoning, now ? now : heddle__measured_ticks());
		atomic_thread_fence(memory_order_acquire);
		if (!(version & 1) && GET(version) == version)
			return true;
	}
	return false;
}

/* The board up to now. Context: it is open. */
static void advance(struct reckoning *reckoning)
{
	reckon(reckoning, heddle__measured_ticks());
	SET(last, reckoning->now);
	for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++) {
		SET(share[kind], reckoning->share[kind]);
		SET(rest[kind], reckoning->rest[kind]);
	}
}

static void count(enum heddle_part part, uint32_t by)
{
	if (part == HEDDLE_PART_WORKS)
		SET(working, GET(working) + by);
	else if (part >= HEDDLE_PART_BARRIER)
		SET(waiting[part - HEDDLE_PART_BARRIER], GET(waiting[part - HEDDLE_PART_BARRIER]) + by);
}

static bool has_ended(struct heddle_group *group)
{
	return group && atomic_load_explicit(&group->ended, memory_order_relaxed);
}

/* A thread takes a part (by = 1) or gives it up (-1). In the barrier of a group that has ended, it is idle. */
static void count_thread(enum heddle_part part, struct heddle_group *group, uint32_t by)
{
	if (part == HEDDLE_PART_BARRIER && has_ended(group)) {
		count(HEDDLE_PART_IDLE, by);
		return;
	}
	if (part == HEDDLE_PART_BARRIER && group)
		group->waiting += by;
	count(part, by);
}

void heddle__blame_give(struct heddle_slot *slot, enum heddle_metric kind, uint64_t ticks)
{
	if (!ticks)
		return;
	heddle__slot_add(slot, kind, ticks);
	heddle__slot_add(slot, HEDDLE_METRIC_BLAME, ticks);
	if (kind != HEDDLE_METRIC_LOCK_BLAME)
		heddle__slot_add(slot, HEDDLE_METRIC_IDLENESS, ticks);
}

uint32_t heddle__blame_nobody_node(enum heddle_state nobody)
{
	return heddle__tree_child(HEDDLE_TREE_ROOT, HEDDLE_NODE_META(HEDDLE_NODE_STATE, nobody), 0);
}

void heddle__blame_nobody(
	struct heddle_thread *thread, enum heddle_state nobody, enum heddle_metric kind, uint64_t ticks)
{
	if (ticks)
		heddle__blame_give(heddle__slot(thread, heddle__blame_nobody_node(nobody)), kind, ticks);
}

static enum heddle_metric metric_of(unsigned int kind)
{
	return (enum heddle_metric)(HEDDLE_METRIC_BARRIER_BLAME + kind);
}

static void give_to_nobody(struct heddle_thread *thread, const uint64_t ticks[HEDDLE_IDLENESS_KINDS])
{
	for (unsigned int kind = 0; thread && kind < HEDDLE_IDLENESS_KINDS; kind++)
		heddle__blame_nobody(thread, HEDDLE_STATE_NO_WORKER, metric_of(kind), ticks[kind]);
}

/* Charge the thread with its shares, by the innermost region's events; or its next sample will be. */
static void charge(struct heddle_thread *thread, const struct reckoning *reckoning)
{
	struct heddle_blamed *mine = &thread->blamed;
	struct heddle_slot *slot = thread->depth ? thread->regions[thread->depth - 1].slot : thread->idle_slot;
	for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++) {
		uint64_t ticks = reckoning->share[kind] - mine->seen[kind];
		mine->seen[kind] = reckoning->share[kind];
		if (heddle__events_give_time && slot)
			heddle__blame_give(slot, metric_of(kind), ticks);
		else
			mine->unpaid[kind] += ticks;
	}
}

/* The thread goes on with what it does, elsewhere. */
static uint64_t go_on(struct heddle_thread *thread, uint64_t when)
{
	struct reckoning reckoning;
	if (thread->blamed.part == HEDDLE_PART_WORKS && heddle__events_give_time && look(&reckoning, 0)) {
		charge(thread, &reckoning);
		return when ? when : reckoning.now;
	}
	return when ? when : heddle__measured_ticks();
}

/*
 * The thread takes another part. Where that is known to have happened at `when` already without the board knowing (a
 * barrier that nobody told of), what was waited since is nobody's.
 */
static uint64_t turn(struct heddle_thread *thread, enum heddle_part part, struct heddle_group *group, uint64_t when)
{
	struct heddle_blamed *mine = &thread->blamed;
	struct reckoning reckoning;
	enum heddle_part before = mine->part;
	if (before == part)
		return go_on(thread, when);
	if (!open_board())
		return when ? when : heddle__measured_ticks();
	advance(&reckoning);
	count_thread(before, mine->group, UINT32_MAX);
	count_thread(part, group, 1);
	close_board();
	if (before == HEDDLE_PART_WORKS)
		charge(thread, &reckoning);
	for (unsigned int kind = 0; part == HEDDLE_PART_WORKS && kind < HEDDLE_IDLENESS_KINDS; kind++)
		mine->seen[kind] = reckoning.share[kind];
	mine->part = (uint8_t)part;
	mine->group = group;
	give_to_nobody(thread, reckoning.nobodys);
	if (when && before == HEDDLE_PART_WORKS && part == HEDDLE_PART_IDLE && reckoning.now > when)
		heddle__blame_nobody(thread, HEDDLE_STATE_NO_WORKER, HEDDLE_METRIC_IDLE_BLAME, reckoning.now - when);
	return when ? when : reckoning.now;
}

static enum heddle_part part_in(enum heddle_state state)
{
	switch (state) {
	case HEDDLE_STATE_BARRIER_WAIT:
		return HEDDLE_PART_BARRIER;
	case HEDDLE_STATE_TASK_WAIT:
		return HEDDLE_PART_TASKS;
	case HEDDLE_STATE_LOCK_WAIT:
		return HEDDLE_PART_LOCKED;
	default:
		return HEDDLE_PART_WORKS;
	}
}

/* The group of the innermost task below `depth`. */
static struct heddle_group *group_at(const struct heddle_thread *thread, uint32_t depth)
{
	while (depth && !thread->regions[depth - 1].tag)
		depth--;
	return depth ? (struct heddle_group *)(uintptr_t)thread->regions[depth - 1].place : NULL;
}

uint64_t heddle__blame_cut(struct heddle_thread *thread, uint32_t depth, uint64_t when)
{
	enum heddle_part part = thread->idles ? HEDDLE_PART_IDLE : HEDDLE_PART_WORKS;
	if (!thread->blamed.takes_part)
		return when ? when : heddle__measured_ticks();
	if (depth)
		part = part_in((enum heddle_state)thread->regions[depth - 1].state);
	return turn(thread, part, part == HEDDLE_PART_BARRIER ? group_at(thread, depth) : NULL, when);
}

uint64_t heddle__blame_push(struct heddle_thread *thread, enum heddle_state state)
{
	enum heddle_part part = part_in(state);
	if (!thread->blamed.takes_part)
		return heddle__measured_ticks();
	return turn(thread, part, part == HEDDLE_PART_BARRIER ? group_at(thread, thread->depth) : NULL, 0);
}

uint64_t heddle__blame_switch(struct heddle_thread *thread, bool on)
{
	return on ? heddle__blame_cut(thread, thread->depth, 0) : turn(thread, HEDDLE_PART_NONE, NULL, 0);
}

void heddle__blame_join(struct heddle_thread *thread)
{
	if (!heddle__blames || thread->blamed.takes_part)
		return;
	thread->blamed.takes_part = true;
	if (!thread->off)
		heddle__charge_elapsed(thread, heddle__blame_cut(thread, thread->depth, 0));
}

/* Where idleness goes that no sample took. */
static uint32_t last_node(const struct heddle_thread *thread)
{
	if (thread->blamed.node)
		return thread->blamed.node;
	if (thread->last_sample_node)
		return thread->last_sample_node;
	for (uint32_t i = thread->depth; i; i--) {
		if (!thread->regions[i - 1].deferred)
			return thread->regions[i - 1].node;
	}
	return thread->base;
}

static void pay(struct heddle_thread *thread, struct heddle_slot *slot)
{
	for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++) {
		heddle__blame_give(slot, metric_of(kind), thread->blamed.unpaid[kind]);
		thread->blamed.unpaid[kind] = 0;
	}
}

void heddle__blame_leave(struct heddle_thread *thread)
{
	if (!thread->blamed.takes_part)
		return;
	uint64_t now = turn(thread, HEDDLE_PART_NONE, NULL, 0);
	if (!thread->off)
		heddle__charge_elapsed(thread, now);
	heddle__blame_unwait(thread);
	pay(thread, heddle__slot(thread, last_node(thread)));
	thread->blamed.takes_part = false;
}

void heddle__blame_sample(struct heddle_thread *thread, struct heddle_slot *slot)
{
	struct heddle_blamed *mine = &thread->blamed;
	struct reckoning reckoning;
	if (mine->part != HEDDLE_PART_WORKS || !look(&reckoning, 0))
		return;
	for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++) {
		mine->unpaid[kind] += reckoning.share[kind] - mine->seen[kind];
		mine->seen[kind] = reckoning.share[kind];
	}
	/* Who works while nobody waits is not to blame for others' waiting before. */
	if (!reckoning.waiting)
		return;
	pay(thread, slot);
	mine->node = slot->node;
}

void heddle__group_end(struct heddle_group *group)
{
	struct reckoning reckoning;
	if (!heddle__blames || !open_board()) {
		atomic_store(&group->ended, heddle__measured_ticks());
		return;
	}
	advance(&reckoning);
	count(HEDDLE_PART_BARRIER, 0 - group->waiting);
	count(HEDDLE_PART_IDLE, group->waiting);
	group->waiting = 0;
	atomic_store(&group->ended, reckoning.now);
	close_board();
	give_to_nobody(heddle__thread_self(), reckoning.nobodys);
}

void heddle__blame_rest(const struct heddle_thread *thread, uint64_t now, struct heddle_blame_rest *rest)
{
	struct reckoning reckoning;
	const struct heddle_blamed *mine = &thread->blamed;
	bool works = mine->part == HEDDLE_PART_WORKS && look(&reckoning, now);
	const struct heddle_slot *slot = thread->depth ? thread->regions[thread->depth - 1].slot : thread->idle_slot;
	*rest = (struct heddle_blame_rest){.node = last_node(thread)};
	if (heddle__events_give_time && slot)
		rest->node = slot->node;
	for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++)
		rest->ticks[kind] = mine->unpaid[kind] + (works ? reckoning.share[kind] - mine->seen[kind] : 0);
}

void heddle__blame_nobodys_rest(uint64_t now, struct heddle_blame_rest *rest)
{
	struct reckoning reckoning;
	*rest = (struct heddle_blame_rest){0};
	if (!heddle__blames || !look(&reckoning, now))
		return;
	for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++)
		rest->ticks[kind] = reckoning.nobodys[kind] + reckoning.rest[kind];
	rest->lock_ticks = heddle__blame_locks_rest(now);
}

void heddle__blame_init(void)
{
	heddle__blames = heddle__setting_number(HEDDLE_SETTING_BLAME) != 0;
	if (heddle__blames)
		heddle__blame_locks_init();
}

void heddle__blame_after_fork(void)
{
	struct heddle_thread *self = heddle__thread_self();
	bool takes_part = self && self->blamed.takes_part;
	if (!heddle__blames)
		return;
	board = (struct board){0};
	atomic_store(&given_up, false);
	heddle__blame_locks_after_fork();
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next)
		thread->blamed = (struct heddle_blamed){0};
	if (takes_part)
		heddle__blame_join(self);
}
