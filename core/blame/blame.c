/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets each thread's part on the boards, and charges idleness to working threads. */
#include "core/blame/blame.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/base/settings.h"
#include "core/blame/blame_board.h"
#include "core/blame/blame_locks.h"
#include "core/blame/blame_program.h"
#include "core/threads/control.h"
#include "core/threads/elapsed.h"
#include "core/threads/listeners.h"
#include "core/threads/region.h"
#include "core/threads/task.h"
#include "core/threads/thread.h"
#include "core/threads/trace.h"
#include "core/tree/event.h"
#include "core/tree/tree.h"

bool heddle__blames;

static const char *program_model;     /* the model whose events may wait for other processes; NULL: none */
static struct heddle_reckoning final; /* last state of the program's board, once the process has finished */
static bool finished;

static bool has_ended(struct heddle_group *group)
{
	return group && atomic_load_explicit(&group->ended, memory_order_relaxed);
}

/* Counts threads that begin (by = 1) or end (-1) a part. In the barrier of an ended group, they count as idle. */
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

void heddle__blame_charge(struct heddle_slot *slot, enum heddle_metric kind, uint64_t ticks)
{
	if (!ticks)
		return;
	heddle__add(slot, kind, ticks);
	heddle__add(slot, HEDDLE_METRIC_BLAME, ticks);
	if (kind != HEDDLE_METRIC_LOCK_BLAME)
		heddle__add(slot, HEDDLE_METRIC_IDLENESS, ticks);
}

static uint32_t no_culprit_node(enum heddle_state state)
{
	return heddle__tree_child(HEDDLE_TREE_ROOT, HEDDLE_NODE_META(HEDDLE_NODE_STATE, state), 0);
}

void heddle__blame_no_culprit(
	struct heddle_thread *thread, enum heddle_state state, enum heddle_metric kind, uint64_t ticks)
{
	if (ticks)
		heddle__blame_charge(heddle__slot(thread, no_culprit_node(state)), kind, ticks);
}

static enum heddle_metric metric_of(unsigned int kind)
{
	return (enum heddle_metric)(HEDDLE_METRIC_BARRIER_BLAME + kind);
}

static void charge_no_culprit(struct heddle_thread *thread, const uint64_t ticks[HEDDLE_IDLENESS_KINDS])
{
	for (unsigned int kind = 0; thread && kind < HEDDLE_IDLENESS_KINDS; kind++)
		heddle__blame_no_culprit(thread, HEDDLE_STATE_NO_WORKER, metric_of(kind), ticks[kind]);
}

/*
 * Returns how much a share has grown since the thread saw it; 0 if what it saw is newer: the writer reads the board as
 * of the end, and the thread may have been charged by an event that had begun by then.
 */
static uint64_t growth(uint64_t share, uint64_t seen)
{
	return (int64_t)(share - seen) > 0 ? share - seen : 0;
}

/* Charges the thread's shares to the innermost region if events give times; else defers them to the next sample. */
static void charge(
	struct heddle_thread *thread, enum heddle_blame_scope scope, const struct heddle_reckoning *reckoning)
{
	struct heddle_blamed *mine = &thread->blamed;
	struct heddle_slot *slot = heddle__innermost_slot(thread);
	for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++) {
		uint64_t ticks = growth(reckoning->share[kind], mine->seen[scope][kind]);
		mine->seen[scope][kind] += ticks;
		if (heddle__events_give_time && slot)
			heddle__blame_charge(slot, metric_of(kind), ticks);
		else
			mine->unpaid[kind] += ticks;
	}
}

/* Charges the thread if its parts stay the same, but another region becomes innermost. */
static uint64_t go_on(struct heddle_thread *thread, uint64_t when)
{
	struct heddle_reckoning reckoning;
	uint64_t now = when;
	for (unsigned int scope = 0; heddle__events_give_time && scope < HEDDLE_SCOPES; scope++) {
		if (thread->blamed.part[scope] != HEDDLE_PART_WORKS ||
			!heddle__board_read(&heddle__scopes[scope], 0, &reckoning))
			continue;
		charge(thread, scope, &reckoning);
		now = now ? now : heddle__scope_measured(&heddle__scopes[scope], reckoning.now);
	}
	return now ? now : heddle__measured_ticks();
}

/* A thread's part on each board, and the group whose barrier it waits in. */
struct parts {
	uint8_t of[HEDDLE_SCOPES];
	struct heddle_group *group;
};

static bool waits(enum heddle_part part)
{
	return part >= HEDDLE_PART_BARRIER;
}

/* Changes the part on one board. Returns the scope's tick of the change; 0: blame was given up. */
static uint64_t turn_on(struct heddle_thread *thread, enum heddle_blame_scope scope, const struct parts *parts)
{
	const struct heddle_scope *where = &heddle__scopes[scope];
	struct heddle_blamed *mine = &thread->blamed;
	struct heddle_reckoning reckoning;
	bool own = scope == HEDDLE_SCOPE_PROCESS; /* groups belong to the process */
	if (!heddle__board_open(where, &reckoning))
		return 0;
	count(where->board, mine->part[scope], own ? mine->group : NULL, UINT32_MAX);
	count(where->board, parts->of[scope], own ? parts->group : NULL, 1);
	heddle__board_close(where->board);
	if (mine->part[scope] == HEDDLE_PART_WORKS)
		charge(thread, scope, &reckoning);
	if (parts->of[scope] == HEDDLE_PART_WORKS)
		memcpy(mine->seen[scope], reckoning.share, sizeof(mine->seen[scope]));
	charge_no_culprit(thread, reckoning.no_culprit);
	return reckoning.now;
}

/*
 * Changes the thread's parts. If the change happened at `when`, unknown to the board (a barrier that no event
 * reported), the waiting time since then has no culprit.
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
		heddle__blame_no_culprit(thread, HEDDLE_STATE_NO_WORKER, HEDDLE_METRIC_IDLE_BLAME, now - since);
	return when ? when : now;
}

/* Like change(). A thread still in the barrier of a group that has ended was idle since then, as on the board. */
static uint64_t turn(struct heddle_thread *thread, const struct parts *parts, uint64_t when)
{
	struct heddle_group *group = thread->blamed.part[0] == HEDDLE_PART_BARRIER ? thread->blamed.group : NULL;
	uint64_t tick = change(thread, parts, when);
	if (has_ended(group) && !thread->off)
		heddle__charge_idle(thread, group->ended, tick);
	return tick;
}

/* The group of the innermost task below `depth`. */
static struct heddle_group *group_at(const struct heddle_thread *thread, uint32_t depth)
{
	while (depth && heddle__region_at(&thread->stack, depth - 1)->kind != HEDDLE_KIND_TASK)
		depth--;
	return depth ? (struct heddle_group *)(uintptr_t)heddle__region_at(&thread->stack, depth - 1)->owner : NULL;
}

static bool is_program_wide(uint32_t meta)
{
	const struct heddle_event *event =
		HEDDLE_META_KIND(meta) == HEDDLE_NODE_REGION ? heddle__event_by_id(HEDDLE_META_EVENT(meta)) : NULL;
	return event && strcmp(event->model, program_model) == 0;
}

/* Returns the wait around the region: what a runtime does inside a wait (a reduction in a barrier) belongs to it. */
static const struct heddle_region *wait_around(
	const struct heddle_thread *thread, const struct heddle_region *region, uint32_t *depth)
{
	while (region && region->state == HEDDLE_STATE_WORK && HEDDLE_META_KIND(region->meta) == HEDDLE_NODE_REGION)
		region = *depth ? heddle__region_at(&thread->stack, --*depth) : NULL;
	return region;
}

/*
 * The parts of a thread whose innermost region is `region` (NULL: none), on top of `depth` others. A thread that waits
 * on one board has part NONE on the other.
 */
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

/* Without sampling, charges time that others waited for held locks to the region that was innermost until now. */
static void charge_held(struct heddle_thread *thread)
{
	struct heddle_slot *slot = heddle__innermost_slot(thread);
	if (heddle__events_give_time && thread->blamed.held_count && slot)
		heddle__blame_charge_held(thread, slot);
}

/* The parts of the thread when the outermost `depth` regions are open, with `opened` (NULL: none) on top of them. */
static struct parts parts_after(struct heddle_thread *thread, uint32_t depth, const struct heddle_region *opened)
{
	if (opened)
		return parts_in(thread, opened, depth);
	if (depth)
		return parts_in(thread, heddle__region_at(&thread->stack, depth - 1), depth - 1);
	if (thread->idles)
		return (struct parts){{HEDDLE_PART_IDLE, HEDDLE_PART_NONE}, NULL};
	return parts_in(thread, NULL, 0);
}

/*
 * See struct heddle_listener. A suggested tick is used only if the current task's group ended then. Otherwise the
 * change happens now, and the board's tick is as good and the same for all threads.
 */
static uint64_t tick_of_change(
	struct heddle_thread *thread, uint32_t depth, const struct heddle_region *opened, uint64_t when)
{
	charge_held(thread);
	if (!thread->blamed.takes_part)
		return when;
	if (opened || when != heddle__tasks_ended(thread))
		when = 0;
	struct parts parts = parts_after(thread, depth, opened);
	return turn(thread, &parts, when);
}

static uint64_t tick_of_switch(struct heddle_thread *thread, bool on)
{
	const struct parts none = {0};
	return on ? tick_of_change(thread, heddle__open_count(&thread->stack), NULL, 0) : turn(thread, &none, 0);
}

static const struct heddle_listener listener = {
	.hears_regions = true, .tick_of_change = tick_of_change, .tick_of_switch = tick_of_switch};

/* Determines the thread's parts again, and charges its elapsed time up to then. */
static void reckon_anew(struct heddle_thread *thread)
{
	uint64_t now = tick_of_change(thread, heddle__open_count(&thread->stack), NULL, 0);
	heddle__charge_elapsed(thread, now ? now : heddle__measured_ticks());
}

void heddle__blame_join(struct heddle_thread *thread)
{
	if (!heddle__blames || thread->blamed.takes_part)
		return;
	thread->blamed.takes_part = true;
	if (!thread->off)
		reckon_anew(thread);
}

/* Returns the node to charge with idleness that no sample was charged with. */
static uint32_t last_node(const struct heddle_thread *thread)
{
	if (thread->blamed.node)
		return thread->blamed.node;
	if (thread->sampled.last_node)
		return thread->sampled.last_node;
	for (uint32_t i = heddle__open_count(&thread->stack); i; i--) {
		const struct heddle_region *region = heddle__region_at(&thread->stack, i - 1);
		if (!region->deferred)
			return region->node;
	}
	return thread->base;
}

static void pay(struct heddle_thread *thread, struct heddle_slot *slot)
{
	for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++) {
		heddle__blame_charge(slot, metric_of(kind), thread->blamed.unpaid[kind]);
		thread->blamed.unpaid[kind] = 0;
	}
}

void heddle__blame_leave(struct heddle_thread *thread)
{
	if (!thread->blamed.takes_part)
		return;
	uint64_t now = tick_of_switch(thread, false);
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
		heddle__blame_charge_held(thread, slot);
	for (unsigned int scope = 0; scope < HEDDLE_SCOPES; scope++) {
		if (mine->part[scope] != HEDDLE_PART_WORKS ||
			!heddle__board_read(&heddle__scopes[scope], 0, &reckoning))
			continue;
		for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++) {
			uint64_t ticks = growth(reckoning.share[kind], mine->seen[scope][kind]);
			mine->unpaid[kind] += ticks;
			mine->seen[scope][kind] += ticks;
		}
		waiting += reckoning.waiting;
	}
	/* Code that runs while no thread waits is not the culprit of earlier waiting. */
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
	charge_no_culprit(heddle__thread_self(), reckoning.no_culprit);
}

/* Reads a board at the measured tick `now`; the program's board, when the process finished. */
static bool read_board(enum heddle_blame_scope scope, uint64_t now, struct heddle_reckoning *reckoning)
{
	if (scope == HEDDLE_SCOPE_PROGRAM && finished) {
		*reckoning = final;
		return true;
	}
	return heddle__board_read(&heddle__scopes[scope], heddle__scope_tick(&heddle__scopes[scope], now), reckoning);
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
		if (mine->part[scope] != HEDDLE_PART_WORKS || !read_board(scope, now, &reckoning))
			continue;
		for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++)
			rest->ticks[kind] += growth(reckoning.share[kind], mine->seen[scope][kind]);
	}
}

/* Returns this process's part of the program's waiting time with no culprit, by the number of its waiting threads. */
static uint64_t own_part(uint64_t ticks, uint32_t waiting)
{
	uint32_t own = 0;
	for (const struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next)
		own += thread->blamed.part[HEDDLE_SCOPE_PROGRAM] == HEDDLE_PART_BARRIER;
	return waiting ? ticks / waiting * own : 0;
}

void heddle__blame_no_culprit_rest(uint64_t now, struct heddle_blame_rest *rest)
{
	struct heddle_reckoning reckoning;
	*rest = (struct heddle_blame_rest){0};
	if (read_board(HEDDLE_SCOPE_PROCESS, now, &reckoning)) {
		for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++)
			rest->ticks[kind] = reckoning.no_culprit[kind] + reckoning.rest[kind];
	}
	if (read_board(HEDDLE_SCOPE_PROGRAM, now, &reckoning))
		rest->ticks[0] += own_part(reckoning.no_culprit[0], reckoning.waiting);
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
	heddle__blame_give_up(); /* later events are not accounted */
	heddle__blame_leave_program();
}

void heddle__blame_init(void)
{
	heddle__blames = heddle__setting_number(HEDDLE_SETTING_BLAME) != 0;
	for (unsigned int scope = 0; heddle__blames && scope < HEDDLE_SCOPES; scope++)
		heddle__scopes[scope].buckets = heddle__map(heddle__blame_buckets_size());
	if (heddle__blames)
		heddle__listen(&listener);
}

void heddle__blame_join_program(const char *model)
{
	if (!heddle__blames || program_model)
		return;
	heddle__blame_share_program(heddle__blame_buckets_size());
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
	heddle__scopes_reset();
	for (unsigned int scope = 0; scope < HEDDLE_SCOPES; scope++)
		heddle__scopes[scope].buckets = heddle__map(heddle__blame_buckets_size());
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next)
		thread->blamed = (struct heddle_blamed){0};
	if (takes_part)
		heddle__blame_join(self);
}
