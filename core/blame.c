/* SPDX-License-Identifier: BSD-3-Clause */
/* What part each thread has on the boards, and the charging of its work. */
#include "core/blame.h"

#include <string.h>

#include "core/blame_board.h"
#include "core/control.h"
#include "core/event.h"
#include "core/memory.h"
#include "core/region.h"
#include "core/settings.h"
#include "core/thread.h"
#include "core/tree.h"

bool heddle__blames;

static struct heddle_board boards[HEDDLE_SCOPES];
struct heddle_scope heddle__scopes[HEDDLE_SCOPES] = {
	[HEDDLE_SCOPE_PROCESS] = {.board = &boards[HEDDLE_SCOPE_PROCESS]},
	[HEDDLE_SCOPE_PROGRAM] = {.board = &boards[HEDDLE_SCOPE_PROGRAM], .raw = true},
};
static const char *program_model;     /* whose events may wait for other processes; NULL: none's */
static struct heddle_reckoning final; /* of the program's board, once the process is finished */
static bool finished;

static bool has_ended(struct heddle_group *group)
{
	return group && atomic_load_explicit(&group->ended, memory_order_relaxed);
}

/* A thread takes a part (by = 1) or gives it up (-1). In the barrier of a group that has ended, it is idle. */
static void count(struct heddle_board *board, enum heddle_part part, struct heddle_group *group, uint32_t by)
{
	if (part == HEDDLE_PART_BARRIER && has_ended(group)) {
		heddle__board_count(board, HEDDLE_PART_IDLE, by);
		return;
	}
	if (part == HEDDLE_PART_BARRIER && group)
		group->waiting += by;
	heddle__board_count(board, part, by);
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

static uint32_t nobody_node(enum heddle_state nobody)
{
	return heddle__tree_child(HEDDLE_TREE_ROOT, HEDDLE_NODE_META(HEDDLE_NODE_STATE, nobody), 0);
}

void heddle__blame_nobody(
	struct heddle_thread *thread, enum heddle_state nobody, enum heddle_metric kind, uint64_t ticks)
{
	if (ticks)
		heddle__blame_give(heddle__slot(thread, nobody_node(nobody)), kind, ticks);
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
static void charge(
	struct heddle_thread *thread, enum heddle_blame_scope scope, const struct heddle_reckoning *reckoning)
{
	struct heddle_blamed *mine = &thread->blamed;
	struct heddle_slot *slot = heddle__slot_at_depth(thread, thread->depth);
	for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++) {
		uint64_t ticks = reckoning->share[kind] - mine->seen[scope][kind];
		mine->seen[scope][kind] = reckoning->share[kind];
		if (heddle__events_give_time && slot)
			heddle__blame_give(slot, metric_of(kind), ticks);
		else
			mine->unpaid[kind] += ticks;
	}
}

/* The thread goes on with what it does, elsewhere. */
static uint64_t go_on(struct heddle_thread *thread, uint64_t when)
{
	struct heddle_reckoning reckoning;
	uint64_t now = when;
	for (unsigned int scope = 0; heddle__events_give_time && scope < HEDDLE_SCOPES; scope++) {
		if (thread->blamed.part[scope] != HEDDLE_PART_WORKS ||
			!heddle__board_look(&heddle__scopes[scope], 0, &reckoning))
			continue;
		charge(thread, scope, &reckoning);
		now = now ? now : heddle__scope_measured(&heddle__scopes[scope], reckoning.now);
	}
	return now ? now : heddle__measured_ticks();
}

/* The thread's parts, and the group of its barrier. */
struct parts {
	uint8_t of[HEDDLE_SCOPES];
	struct heddle_group *group;
};

static bool waits(enum heddle_part part)
{
	return part >= HEDDLE_PART_BARRIER;
}

/* On one board. The scope's tick at which it happened; 0: blame is given up. */
static uint64_t turn_on(struct heddle_thread *thread, enum heddle_blame_scope scope, const struct parts *parts)
{
	const struct heddle_scope *where = &heddle__scopes[scope];
	struct heddle_blamed *mine = &thread->blamed;
	struct heddle_reckoning reckoning;
	bool own = scope == HEDDLE_SCOPE_PROCESS; /* groups are the process's */
	if (!heddle__board_open(where, &reckoning))
		return 0;
	count(where->board, mine->part[scope], own ? mine->group : NULL, UINT32_MAX);
	count(where->board, parts->of[scope], own ? parts->group : NULL, 1);
	heddle__board_close(where->board);
	if (mine->part[scope] == HEDDLE_PART_WORKS)
		charge(thread, scope, &reckoning);
	if (parts->of[scope] == HEDDLE_PART_WORKS)
		memcpy(mine->seen[scope], reckoning.share, sizeof(mine->seen[scope]));
	give_to_nobody(thread, reckoning.nobodys);
	return reckoning.now;
}

/*
 * The thread takes other parts. Where that is known to have happened at `when` already without the board knowing (a
 * barrier that nobody told of), what was waited since is nobody's.
 */
static uint64_t change(struct heddle_thread *thread, const struct parts *parts, uint64_t when)
{
	struct heddle_blamed *mine = &thread->blamed;
	const struct parts before = {{mine->part[0], mine->part[1]}, mine->group};
	uint64_t now = 0;
	if (before.of[0] == parts->of[0] && before.of[1] == parts->of[1])
		return go_on(thread, when);
	for (unsigned int scope = 0; scope < HEDDLE_SCOPES; scope++) {
		if (before.of[scope] == parts->of[scope])
			continue;
		uint64_t tick = turn_on(thread, scope, parts);
		mine->part[scope] = parts->of[scope];
		if (tick && (!now || waits(before.of[scope]) || waits(parts->of[scope])))
			now = heddle__scope_measured(&heddle__scopes[scope], tick);
	}
	mine->group = parts->group;
	now = now ? now : heddle__measured_ticks();
	uint64_t since = when > thread->last_ticks ? when : thread->last_ticks;
	if (when && before.of[0] == HEDDLE_PART_WORKS && parts->of[0] == HEDDLE_PART_IDLE && now > since)
		heddle__blame_nobody(thread, HEDDLE_STATE_NO_WORKER, HEDDLE_METRIC_IDLE_BLAME, now - since);
	return when ? when : now;
}

/* The same. Who was still in the barrier of a group that had ended was idle since, as the board counted it. */
static uint64_t turn(struct heddle_thread *thread, const struct parts *parts, uint64_t when)
{
	struct heddle_group *group = thread->blamed.part[0] == HEDDLE_PART_BARRIER ? thread->blamed.group : NULL;
	uint64_t tick = change(thread, parts, when);
	if (has_ended(group) && tick > group->ended && thread->idle_slot && !thread->off) {
		heddle__charge_elapsed(thread, group->ended);
		heddle__charge(thread, thread->idle_slot, tick);
	}
	return tick;
}

/* The group of the innermost task below `depth`. */
static struct heddle_group *group_at(const struct heddle_thread *thread, uint32_t depth)
{
	while (depth && !thread->regions[depth - 1].tag)
		depth--;
	return depth ? (struct heddle_group *)(uintptr_t)thread->regions[depth - 1].place : NULL;
}

static bool is_program_wide(uint32_t meta)
{
	const struct heddle_event *event =
		HEDDLE_META_KIND(meta) == HEDDLE_NODE_REGION ? heddle__event_by_id(HEDDLE_META_EVENT(meta)) : NULL;
	return event && strcmp(event->model, program_model) == 0;
}

/* What the runtime does inside a wait (a reduction in a barrier) is part of the wait. */
static const struct heddle_region *wait_around(
	const struct heddle_thread *thread, const struct heddle_region *region, uint32_t *depth)
{
	while (region && !region->tag && region->state == HEDDLE_STATE_WORK &&
		HEDDLE_META_KIND(region->meta) == HEDDLE_NODE_REGION)
		region = *depth ? &thread->regions[--*depth] : NULL;
	return region;
}

/* A thread whose innermost region that is (NULL: none), on top of `depth` others. Who waits on one board is on the
 * other none. */
static struct parts parts_in(const struct heddle_thread *thread, const struct heddle_region *region, uint32_t depth)
{
	region = wait_around(thread, region, &depth);
	switch (region ? region->state : HEDDLE_STATE_WORK) {
	case HEDDLE_STATE_BARRIER_WAIT:
	case HEDDLE_STATE_COLLECTIVE_WAIT:
		if (program_model && is_program_wide(region->meta))
			return (struct parts){{HEDDLE_PART_NONE, HEDDLE_PART_BARRIER}, NULL};
		return (struct parts){{HEDDLE_PART_BARRIER, HEDDLE_PART_NONE}, group_at(thread, depth)};
	case HEDDLE_STATE_TASK_WAIT:
		return (struct parts){{HEDDLE_PART_TASKS, HEDDLE_PART_NONE}, NULL};
	case HEDDLE_STATE_LOCK_WAIT:
		return (struct parts){{HEDDLE_PART_NONE, HEDDLE_PART_NONE}, NULL};
	default:
		return (struct parts){{HEDDLE_PART_WORKS, program_model ? HEDDLE_PART_WORKS : HEDDLE_PART_NONE}, NULL};
	}
}

uint64_t heddle__blame_cut(struct heddle_thread *thread, uint32_t depth, uint64_t when)
{
	if (!thread->blamed.takes_part)
		return when ? when : heddle__measured_ticks();
	if (when != heddle__tasks_ended(thread))
		when = 0; /* that was just now: the board's tick is as good, and the same for all */
	struct parts parts =
		depth ? parts_in(thread, &thread->regions[depth - 1], depth - 1) : parts_in(thread, NULL, 0);
	if (!depth && thread->idles)
		parts = (struct parts){{HEDDLE_PART_IDLE, HEDDLE_PART_NONE}, NULL};
	return turn(thread, &parts, when);
}

uint64_t heddle__blame_push(struct heddle_thread *thread, const struct heddle_region *region, uint64_t when)
{
	if (!thread->blamed.takes_part)
		return when ? when : heddle__measured_ticks();
	struct parts parts = parts_in(thread, region, thread->depth);
	return turn(thread, &parts, 0);
}

uint64_t heddle__blame_switch(struct heddle_thread *thread, bool on)
{
	const struct parts none = {0};
	return on ? heddle__blame_cut(thread, thread->depth, 0) : turn(thread, &none, 0);
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
	uint64_t now = heddle__blame_switch(thread, false);
	if (!thread->off)
		heddle__charge_elapsed(thread, now);
	heddle__blame_unwait(thread);
	pay(thread, heddle__slot(thread, last_node(thread)));
	thread->blamed.takes_part = false;
}

void heddle__blame_sample(struct heddle_thread *thread, struct heddle_slot *slot)
{
	struct heddle_blamed *mine = &thread->blamed;
	struct heddle_reckoning reckoning;
	uint32_t waiting = 0;
	if (mine->held_count)
		heddle__blame_sample_held(thread, slot);
	for (unsigned int scope = 0; scope < HEDDLE_SCOPES; scope++) {
		if (mine->part[scope] != HEDDLE_PART_WORKS ||
			!heddle__board_look(&heddle__scopes[scope], 0, &reckoning))
			continue;
		for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++)
			mine->unpaid[kind] += reckoning.share[kind] - mine->seen[scope][kind];
		memcpy(mine->seen[scope], reckoning.share, sizeof(mine->seen[scope]));
		waiting += reckoning.waiting;
	}
	/* Who works while nobody waits is not to blame for others' waiting before. */
	if (!waiting)
		return;
	pay(thread, slot);
	mine->node = slot->node;
}

void heddle__group_end(struct heddle_group *group, uint64_t when)
{
	const struct heddle_scope *scope = &heddle__scopes[HEDDLE_SCOPE_PROCESS];
	struct heddle_reckoning reckoning;
	if (!heddle__blames || !heddle__board_open(scope, &reckoning)) {
		atomic_store_explicit(&group->ended, when ? when : heddle__measured_ticks(), memory_order_release);
		return;
	}
	heddle__board_count(scope->board, HEDDLE_PART_BARRIER, 0 - group->waiting);
	heddle__board_count(scope->board, HEDDLE_PART_IDLE, group->waiting);
	group->waiting = 0;
	atomic_store(&group->ended, reckoning.now);
	heddle__board_close(scope->board);
	give_to_nobody(heddle__thread_self(), reckoning.nobodys);
}

/* A board as it is at the measured tick `now`; the program's, as it was when the process finished. */
static bool look_at(enum heddle_blame_scope scope, uint64_t now, struct heddle_reckoning *reckoning)
{
	if (scope == HEDDLE_SCOPE_PROGRAM && finished) {
		*reckoning = final;
		return true;
	}
	return heddle__board_look(&heddle__scopes[scope], heddle__scope_tick(&heddle__scopes[scope], now), reckoning);
}

void heddle__blame_rest(const struct heddle_thread *thread, uint64_t now, struct heddle_blame_rest *rest)
{
	struct heddle_reckoning reckoning;
	const struct heddle_blamed *mine = &thread->blamed;
	const struct heddle_slot *slot = heddle__seen_slot(thread);
	*rest = (struct heddle_blame_rest){.node = last_node(thread)};
	if (heddle__events_give_time && slot)
		rest->node = slot->node;
	memcpy(rest->ticks, mine->unpaid, sizeof(rest->ticks));
	for (unsigned int scope = 0; scope < HEDDLE_SCOPES; scope++) {
		if (mine->part[scope] != HEDDLE_PART_WORKS || !look_at(scope, now, &reckoning))
			continue;
		for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++)
			rest->ticks[kind] += reckoning.share[kind] - mine->seen[scope][kind];
	}
}

/* Of the program's waiting that is nobody's, each process has its own threads' part. */
static uint64_t own_part(uint64_t ticks, uint32_t waiting)
{
	uint32_t own = 0;
	for (const struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next)
		own += thread->blamed.part[HEDDLE_SCOPE_PROGRAM] == HEDDLE_PART_BARRIER;
	return waiting ? ticks / waiting * own : 0;
}

void heddle__blame_nobodys_rest(uint64_t now, struct heddle_blame_rest *rest)
{
	struct heddle_reckoning reckoning;
	*rest = (struct heddle_blame_rest){0};
	if (look_at(HEDDLE_SCOPE_PROCESS, now, &reckoning)) {
		for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++)
			rest->ticks[kind] = reckoning.nobodys[kind] + reckoning.rest[kind];
	}
	if (look_at(HEDDLE_SCOPE_PROGRAM, now, &reckoning))
		rest->ticks[0] += own_part(reckoning.nobodys[0], reckoning.waiting);
	rest->lock_ticks = heddle__blame_locks_rest(now);
}

void heddle__blame_finish(void)
{
	const struct heddle_scope *scope = &heddle__scopes[HEDDLE_SCOPE_PROGRAM];
	if (!heddle__blames)
		return;
	if (program_model && heddle__board_open(scope, &final)) {
		for (const struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next)
			count(scope->board, thread->blamed.part[HEDDLE_SCOPE_PROGRAM], NULL, UINT32_MAX);
		heddle__board_close(scope->board);
		finished = true;
	}
	heddle__blame_give_up(); /* what happens after this is not seen any more */
	heddle__blame_leave_program();
}

void heddle__blame_init(void)
{
	heddle__blames = heddle__setting_number(HEDDLE_SETTING_BLAME) != 0;
	for (unsigned int scope = 0; heddle__blames && scope < HEDDLE_SCOPES; scope++)
		heddle__scopes[scope].buckets = heddle__map(heddle__blame_buckets_size());
}

void heddle__blame_join_program(const char *model)
{
	if (!heddle__blames || program_model)
		return;
	heddle__blame_share_program();
	program_model = model;
}

void heddle__blame_after_fork(void)
{
	struct heddle_thread *self = heddle__thread_self();
	bool takes_part = self && self->blamed.takes_part;
	if (!heddle__blames)
		return;
	program_model = NULL;
	heddle__blame_program_after_fork();
	heddle__scopes[HEDDLE_SCOPE_PROGRAM].board = &boards[HEDDLE_SCOPE_PROGRAM];
	memset(boards, 0, sizeof(boards));
	for (unsigned int scope = 0; scope < HEDDLE_SCOPES; scope++)
		heddle__scopes[scope].buckets = heddle__map(heddle__blame_buckets_size());
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next)
		thread->blamed = (struct heddle_blamed){0};
	if (takes_part)
		heddle__blame_join(self);
}
