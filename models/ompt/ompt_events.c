/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads, regions and their implicit tasks: each event becomes an operation of the shadow stack. A task's data word
 * (ours to use) says what the task is: an even number is the team of an implicit task; for odd ones see ompt_tasks.c.
 */
#include "models/ompt/ompt_events.h"

#include <stddef.h>

#include "core/control.h"
#include "core/module.h"
#include "core/region.h"
#include "core/thread.h"
#include "core/tree.h"
#include "models/ompt/ompt_callbacks.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_place.h"
#include "models/ompt/ompt_team.h"

#define OWN_FRAME ((uintptr_t)__builtin_frame_address(0))

/* A region that the runtime itself forks: that of the threads which run detached target tasks. */
static struct heddle_captured own_region(struct heddle_thread *thread)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[HEDDLE_OMPT_HELPERS].id);
	struct heddle_slot *slot = heddle__event_slot(thread, HEDDLE_TREE_ROOT, meta, 0);
	slot->value[HEDDLE_METRIC_VISITS] += heddle__events_count();
	return (struct heddle_captured){.node = slot->node};
}

/*
 * The context of a team that is forked; `at` as of construct. The runtime's own region has no task around it; the
 * return address of a region that is all of another's code may be in the runtime, too.
 */
static struct heddle_captured forked(struct heddle_thread *thread, const struct heddle_event *event,
	const ompt_frame_t *frame, uintptr_t at, const void *return_address)
{
	if (heddle__ompt_is_runtime_proper((uintptr_t)return_address) && !heddle__current_task(thread))
		return own_region(thread);
	return heddle__ompt_construct(thread, event, heddle__ompt_construct_place(thread, return_address), frame, at);
}

/*
 * The creator of a team of several has just left its last barrier: nothing of the task comes between that and its end.
 * What was innermost last stands above the stack still.
 */
static bool has_just_left_barrier(const struct heddle_thread *thread, const struct heddle_ompt_team *team)
{
	const struct heddle_region *last = &thread->regions[thread->depth];
	return team->creator == thread && !team->alone && thread->depth == thread->task &&
	       thread->depth < thread->region_room && !last->tag &&
	       last->meta == HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[HEDDLE_OMPT_IMPLICIT_BARRIER].id);
}

/* The current task's entry goes, and what is above it; since its team's end, if that was before. */
static inline void leave_task(struct heddle_thread *thread, const struct heddle_region *task)
{
	struct heddle_ompt_team *team = (struct heddle_ompt_team *)(uintptr_t)task->place;
	uint64_t when = team ? atomic_load_explicit(&team->group.ended, memory_order_relaxed) : 0;
	if (team && !when && !(thread->special & HEDDLE_SPECIAL_VALUES) && has_just_left_barrier(thread, team)) {
		team->left = thread->last_ticks;
		heddle__task_drop(thread);
	} else {
		heddle__task_end(thread, task->tag, when);
	}
	if (team)
		heddle__ompt_team_let_go(team, thread);
}

void heddle__ompt_leave_tasks(struct heddle_thread *thread)
{
	for (const struct heddle_region *task; (task = heddle__current_task(thread));)
		leave_task(thread, task);
}

/*
 * A worker's end event comes at the next fork, when the runtime may have wiped the task's data word already, or by
 * another name (when the worker's team was nested and is gone), or not at all: the shadow stack knows the teams. True
 * if that task was among them.
 */
static bool leave_ended_tasks(struct heddle_thread *thread, const ompt_data_t *named)
{
	bool found = false;
	const struct heddle_region *task;
	while ((task = heddle__current_task(thread)) && heddle__ompt_team_has_ended(thread)) {
		found |= task->tag == (uintptr_t)named;
		leave_task(thread, task);
	}
	return found;
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OPENMP);
	(void)data;
	if (!thread)
		return;
	heddle__enter(thread);
	heddle__ompt_count_below(thread, HEDDLE_OMPT_THREAD, HEDDLE_TREE_ROOT);
	heddle__blame_join(thread); /* before it is idle, so that all its idleness is seen */
	if (type == ompt_thread_worker) {
		thread->role = HEDDLE_THREAD_OPENMP;
		uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_STATE, HEDDLE_STATE_IDLE);
		heddle__set_idle(thread, heddle__event_slot(thread, HEDDLE_TREE_ROOT, meta, 0));
	}
	heddle__leave(thread);
}

static void on_thread_end(ompt_data_t *data)
{
	struct heddle_thread *thread = heddle__thread_self();
	(void)data;
	if (!thread)
		return;
	heddle__enter(thread);
	heddle__ompt_leave_tasks(thread);
	heddle__set_idle(thread, NULL);
	heddle__blame_leave(thread);
	heddle__leave(thread);
}

static inline void fork_known(struct heddle_ompt_team *team, const struct heddle_known_site *site, uintptr_t at)
{
	team->creator_cfa = at + sizeof(struct heddle_ompt_runtime_frame);
	team->place = site->place;
	team->context = heddle__ompt_visit_known(site);
}

static void fork_unknown(struct heddle_thread *thread, struct heddle_ompt_team *team, const struct heddle_event *event,
	const ompt_frame_t *frame, uintptr_t at, const void *return_address)
{
	uint64_t place = heddle__ompt_construct_place(thread, return_address);
	struct heddle_captured found = forked(thread, event, frame, at, return_address);
	team->creator_cfa = found.sp;
	team->place = found.place;
	team->context = found.node;
	if (heddle__ompt_by_site(thread))
		heddle__ompt_keep_site(thread, event, heddle__current_node(thread), return_address, place, found.node);
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
	unsigned int requested, int flags, const void *return_address)
{
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	const struct heddle_event *event =
		&heddle__ompt_events[flags & ompt_parallel_league ? HEDDLE_OMPT_TEAMS : HEDDLE_OMPT_PARALLEL];
	(void)task, (void)requested;
	parallel->ptr = NULL;
	if (!thread)
		return;
	heddle__enter(thread);
	struct heddle_ompt_team *team = heddle__ompt_team_take(thread);
	if (team) {
		uintptr_t at = heddle__ompt_entry_frame(thread, frame, OWN_FRAME);
		const struct heddle_known_site *site = heddle__ompt_site(thread, event, return_address);
		if (HEDDLE_LIKELY(site != NULL))
			fork_known(team, site, at);
		else
			fork_unknown(thread, team, event, frame, at, return_address);
		if (flags & ompt_parallel_league)
			heddle__ompt_thread(thread)->league = team;
		parallel->ptr = team;
	}
	if (heddle__ompt_own(thread))
		heddle__ompt_team_open(heddle__ompt_own(thread), team);
	heddle__leave(thread);
}

/*
 * LLVM's runtime gives a nested region's team back before it tells of the end, so the data may be another region's by
 * then, which another thread has just created: the creator knows which one ends.
 */
static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *return_address)
{
	struct heddle_thread *thread = heddle__thread_self();
	struct heddle_ompt_thread *own = thread ? heddle__ompt_own(thread) : NULL;
	struct heddle_ompt_team *team = heddle__ompt_team_close(own, parallel ? parallel->ptr : NULL);
	(void)task, (void)flags, (void)return_address;
	if (!team)
		return;
	heddle__group_end(&team->group, team->left);
	if (parallel && parallel->ptr == team)
		parallel->ptr = NULL;
	if (!thread)
		return; /* its context is gone, and its records with it */
	if (own && own->league == team)
		own->league = NULL;
	heddle__ompt_team_let_go(team, thread);
}

static void on_implicit_task_end(struct heddle_thread *thread, const ompt_data_t *task)
{
	const struct heddle_region *current = heddle__current_task(thread);
	const struct heddle_ompt_thread *own = heddle__ompt_own(thread);
	if (own && own->leaves)
		return; /* when the next one begins */
	if (HEDDLE_LIKELY(current && current->place && current->tag == (uintptr_t)task)) {
		leave_task(thread, current);
		return;
	}
	if (leave_ended_tasks(thread, task))
		return;
	const struct heddle_region *entry = heddle__find_task(thread, (uintptr_t)task);
	if (entry && entry->place)
		leave_task(thread, entry);
}

/*
 * A worker goes from one region to the next: what it was told of the former one's end since it was woken is done now,
 * when what it needs to know of both has come from the processor that wrote it.
 */
static inline bool change_team(struct heddle_thread *thread, struct heddle_ompt_team *team, const ompt_data_t *task)
{
	struct heddle_ompt_thread *own = heddle__ompt_own(thread);
	const struct heddle_ompt_team *former = heddle__ompt_held(own);
	uint64_t ended = atomic_load_explicit(&former->group.ended, memory_order_relaxed);
	if (!team || !ended || team->creator == thread || heddle__ompt_current_team(thread) != former ||
		!heddle__task_replace(thread, (uintptr_t)task, team->context, team, ended))
		return false;
	own->leaves = false;
	atomic_store_explicit(&own->held, team, memory_order_release);
	return true;
}

/*
 * Missing ends are made up for. A region that runs on one thread inside another such has the same task for LLVM's
 * runtime: the outer one goes on below it.
 */
static void enter_team_anew(struct heddle_thread *thread, struct heddle_ompt_team *team, ompt_data_t *task, bool alone)
{
	struct heddle_ompt_thread *own = heddle__ompt_own(thread);
	if (own && own->leaves && heddle__ompt_current_team(thread) == heddle__ompt_held(own))
		leave_task(thread, heddle__current_task(thread));
	if (own)
		own->leaves = false;
	if (heddle__ompt_team_has_ended(thread))
		leave_ended_tasks(thread, task);
	if (!team)
		return;
	uint32_t depth = thread->depth;
	heddle__ompt_team_hold(team, thread);
	if (alone)
		team->alone = true;
	heddle__task_begin(thread, (uintptr_t)task, team->context, team, 0);
	if (thread->depth == depth)
		heddle__ompt_team_let_go(team, thread); /* too deep to keep */
}

static inline void enter_team(struct heddle_thread *thread, const ompt_data_t *parallel, struct heddle_ompt_team *team,
	ompt_data_t *task, bool alone)
{
	struct heddle_ompt_thread *own = heddle__ompt_own(thread);
	task->ptr = team;
	if (own)
		own->word = parallel;
	if (!(own && own->leaves && change_team(thread, team, task)))
		enter_team_anew(thread, team, task, alone);
}

/*
 * The initial tasks of a league are its threads' as implicit ones are a team's; the program's own has none. In LLVM's
 * runtime that of a league of one names none or a former team: its creator, who runs it at once, knows better.
 */
static void on_initial_task_begin(
	struct heddle_thread *thread, const ompt_data_t *parallel, ompt_data_t *task, unsigned int leagues)
{
	const struct heddle_ompt_thread *own = heddle__ompt_own(thread);
	struct heddle_ompt_team *league = own ? own->league : NULL;
	if (!league && parallel)
		league = parallel->ptr;
	heddle__ompt_count_below(thread, HEDDLE_OMPT_INITIAL_TASK, league ? league->context : HEDDLE_TREE_ROOT);
	if (league)
		enter_team(thread, parallel, league, task, leagues == 1);
}

static void on_implicit_task_begin(struct heddle_thread *thread, const ompt_data_t *parallel, ompt_data_t *task,
	unsigned int team_size, unsigned int number)
{
	struct heddle_ompt_team *team = parallel ? parallel->ptr : NULL;
	enter_team(thread, parallel, team, task, team_size == 1);
	if (!team)
		return;
	heddle__ompt_count_below(thread, HEDDLE_OMPT_IMPLICIT_TASK, team->context);
	thread->openmp_number = (int32_t)number;
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
	unsigned int team_size, unsigned int number, int flags)
{
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	if (!thread || !task)
		return;
	heddle__enter(thread);
	if (endpoint != ompt_scope_begin)
		on_implicit_task_end(thread, task);
	else if (flags & ompt_task_initial)
		on_initial_task_begin(thread, parallel, task, team_size);
	else
		on_implicit_task_begin(thread, parallel, task, team_size, number);
	heddle__leave(thread);
}

unsigned int heddle__ompt_register(
	ompt_set_callback_t set_callback, const struct heddle_ompt_callback *callbacks, size_t count)
{
	unsigned int delivered = 0;
	for (size_t i = 0; i < count; i++) {
		if (callbacks[i].name && !heddle__ompt_callback_is_selected(callbacks[i].name))
			continue;
		delivered += set_callback(callbacks[i].number, callbacks[i].function) == ompt_set_always;
	}
	return delivered;
}

unsigned int heddle__ompt_set_callbacks(ompt_set_callback_t set_callback)
{
	static const struct heddle_ompt_callback callbacks[] = {
		{ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin, NULL},
		{ompt_callback_thread_end, (ompt_callback_t)on_thread_end, NULL},
		{ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin, NULL},
		{ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end, NULL},
		{ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task, NULL},
	};
	return heddle__ompt_register(set_callback, callbacks, sizeof(callbacks) / sizeof(callbacks[0])) +
	       heddle__ompt_set_tasks(set_callback) + heddle__ompt_set_waits(set_callback) +
	       heddle__ompt_set_counts(set_callback) + heddle__ompt_set_target(set_callback);
}
