/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads, regions and their implicit tasks: each event becomes an operation on the shadow stack. A task's data word
 * (for the tool's use) identifies the task: an even value is the team of an implicit task; for odd ones see
 * ompt_tasks.c.
 */
#include "models/ompt/ompt_events.h"
#include "core/base/likely.h"

#include <stddef.h>

#include "core/blame/blame.h"
#include "core/modules/module.h"
#include "core/process/thread_life.h"
#include "core/threads/control.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/tree/tree.h"
#include "models/ompt/ompt_callbacks.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_place.h"
#include "models/ompt/ompt_team.h"

/* A region that the runtime forks for its own use: its threads execute detached target tasks. */
static struct heddle_ompt_context own_region(struct heddle_thread *thread)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[HEDDLE_OMPT_HELPERS].id);
	struct heddle_slot *slot = heddle__event_slot(thread, HEDDLE_TREE_ROOT, meta, 0);
	if (!thread->off)
		heddle__visit(thread, slot);
	return (struct heddle_ompt_context){.node = slot->node};
}

/*
 * Returns the context of a new team; `call` is as in heddle__ompt_construct. The runtime's own region has no enclosing
 * task. If the code of a region consists of another region only, the inner one's return address may be in the runtime.
 * The same holds for a league that GCC compiled, which LLVM's runtimes fork by a function of their own.
 */
static struct heddle_ompt_context forked(struct heddle_thread *thread, const struct heddle_event *event,
	const ompt_frame_t *frame, struct heddle_call call, const void *return_address)
{
	bool by_runtime = heddle__ompt_is_runtime_proper((uintptr_t)return_address);
	bool league = event == &heddle__ompt_events[HEDDLE_OMPT_TEAMS];
	if (by_runtime && !league && !heddle__current_task(&thread->stack))
		return own_region(thread);
	uint64_t place = heddle__ompt_construct_place(thread, return_address);
	bool by_program = return_address && !heddle__ompt_is_runtime((uintptr_t)return_address);
	return heddle__ompt_construct(thread, event, place, frame, call, by_program);
}

/*
 * True if the creator of a team of several threads has just left the last barrier: no code of the task runs between
 * that barrier and the task's end.
 */
static bool has_just_left_barrier(const struct heddle_thread *thread, const struct heddle_ompt_team *team)
{
	const struct heddle_region *last = heddle__last_popped(&thread->stack);
	return team->creator == thread && !team->alone && !heddle__open_in_task(&thread->stack) && last &&
	       last->meta == HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[HEDDLE_OMPT_IMPLICIT_BARRIER].id);
}

/* Pops the current task's entry and all above it, at the time at which its team ended, if it has ended. */
static inline void leave_task(struct heddle_thread *thread, const struct heddle_region *task)
{
	struct heddle_ompt_team *team = (struct heddle_ompt_team *)(uintptr_t)task->owner;
	thread->last_task_node = task->node;
	uint64_t when = team ? atomic_load_explicit(&team->group.ended, memory_order_relaxed) : 0;
	if (team && !when && !(thread->special & HEDDLE_SPECIAL_VALUES) && has_just_left_barrier(thread, team)) {
		team->left = thread->last_ticks;
		heddle__task_drop(thread);
	} else {
		heddle__task_end(thread, task->task.name, when);
	}
	if (team)
		heddle__ompt_team_release(team, thread);
}

void heddle__ompt_leave_tasks(struct heddle_thread *thread)
{
	for (const struct heddle_region *task; (task = heddle__current_task(&thread->stack));)
		leave_task(thread, task);
}

/*
 * Pops the tasks of ended teams, as the shadow stack has them. A worker's end event is not reliable: it arrives at the
 * next fork, when the runtime may have cleared the task's data word; or with another name (if the worker's team was
 * nested and has ended); or not at all. Returns true if the named task was among those that ended.
 */
static bool leave_ended_tasks(struct heddle_thread *thread, const ompt_data_t *named)
{
	bool found = false;
	const struct heddle_region *task;
	while ((task = heddle__current_task(&thread->stack)) && heddle__ompt_team_has_ended(thread)) {
		found |= task->task.name == (uintptr_t)named;
		leave_task(thread, task);
	}
	return found;
}

void heddle__ompt_set_idle(struct heddle_thread *thread, bool idle)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_STATE, HEDDLE_STATE_IDLE);
	heddle__set_idle(thread, idle ? heddle__event_slot(thread, HEDDLE_TREE_ROOT, meta, heddle__ompt_model) : NULL);
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_WORKER + heddle__ompt_model);
	(void)data;
	if (!thread)
		return;
	heddle__enter(thread);
	heddle__ompt_count_below(thread, HEDDLE_OMPT_THREAD, HEDDLE_TREE_ROOT);
	heddle__blame_join(thread); /* before it becomes idle, so that all its idle time is seen */
	if (type == ompt_thread_worker) {
		thread->role = (uint8_t)(HEDDLE_THREAD_WORKER + heddle__ompt_model);
		heddle__ompt_set_idle(thread, true);
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
	heddle__ompt_set_idle(thread, false);
	heddle__blame_leave(thread);
	heddle__leave(thread);
}

static inline void fork_known(struct heddle_thread *thread, struct heddle_ompt_team *team,
	const struct heddle_known_site *site, struct heddle_call call)
{
	team->creator_cfa = call.sp;
	team->place = site->place;
	team->context = heddle__ompt_visit_known(thread, site);
}

static void fork_unknown(struct heddle_thread *thread, struct heddle_ompt_team *team, const struct heddle_event *event,
	const ompt_frame_t *frame, struct heddle_call call, const void *return_address)
{
	uint64_t place = heddle__ompt_construct_place(thread, return_address);
	struct heddle_ompt_context found = forked(thread, event, frame, call, return_address);
	/* A team that the runtime itself forks has no caller in the program; its frames begin at the call. */
	team->creator_cfa = found.sp ? found.sp : call.sp;
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
		struct heddle_call call = heddle__ompt_entry(thread, frame, heddle__call_here());
		const struct heddle_known_site *site = heddle__ompt_site(thread, event, return_address);
		if (HEDDLE_LIKELY(site))
			fork_known(thread, team, site, call);
		else
			fork_unknown(thread, team, event, frame, call, return_address);
		if (flags & ompt_parallel_league)
			heddle__ompt_thread_make(thread)->league = team;
		parallel->ptr = team;
		heddle__record_number(thread, HEDDLE_TRACE_NUMBER_PARALLEL, heddle__ompt_team_number(team));
	}
	if (heddle__ompt_thread_of(thread))
		heddle__ompt_team_open(heddle__ompt_thread_of(thread), team);
	heddle__leave(thread);
}

/*
 * LLVM's runtime recycles a nested region's team before it reports the end, so the data word may already belong to a
 * region that another thread has just created. Therefore the creator's own record shows which region ends.
 */
static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *return_address)
{
	struct heddle_thread *thread = heddle__thread_self();
	struct heddle_ompt_thread *own = thread ? heddle__ompt_thread_of(thread) : NULL;
	struct heddle_ompt_team *team = heddle__ompt_team_close(own, parallel ? parallel->ptr : NULL);
	(void)task, (void)flags, (void)return_address;
	if (!team)
		return;
	heddle__group_end(&team->group, team->left);
	if (parallel && parallel->ptr == team)
		parallel->ptr = NULL;
	if (!thread)
		return; /* the thread's context has ended, and its records with it */
	if (own && own->league == team)
		own->league = NULL;
	heddle__ompt_team_release(team, thread);
}

static void on_implicit_task_end(struct heddle_thread *thread, const ompt_data_t *task)
{
	const struct heddle_region *current = heddle__current_task(&thread->stack);
	const struct heddle_ompt_thread *own = heddle__ompt_thread_of(thread);
	if (own && own->in_last_barrier)
		return; /* processed when the next task begins */
	if (HEDDLE_LIKELY(current && current->owner && current->task.name == (uintptr_t)task)) {
		leave_task(thread, current);
		return;
	}
	if (leave_ended_tasks(thread, task))
		return;
	const struct heddle_region *entry = heddle__find_task(&thread->stack, (uintptr_t)task);
	if (entry && entry->owner)
		leave_task(thread, entry);
}

/*
 * Moves a worker from one region to the next. Events that it reported about the end of the former region since it was
 * woken are processed only now, when the data of both regions has arrived from the processor that wrote it.
 */
static inline bool change_team(struct heddle_thread *thread, struct heddle_ompt_team *team, const ompt_data_t *task)
{
	struct heddle_ompt_thread *own = heddle__ompt_thread_of(thread);
	const struct heddle_ompt_team *former = heddle__ompt_held(own);
	uint64_t ended = atomic_load_explicit(&former->group.ended, memory_order_relaxed);
	if (!team || !ended || team->creator == thread || heddle__ompt_current_team(thread) != former ||
		!heddle__task_replace(thread, (uintptr_t)task, team->context, team, ended))
		return false;
	own->in_last_barrier = false;
	atomic_store_explicit(&own->held, team, memory_order_release);
	return true;
}

/*
 * The slow path: also ends tasks whose end was not reported. In LLVM's runtime, a region of one thread inside another
 * such region has the same task as the outer one; the outer region continues afterwards.
 */
static void enter_team_anew(struct heddle_thread *thread, struct heddle_ompt_team *team, ompt_data_t *task, bool alone)
{
	struct heddle_ompt_thread *own = heddle__ompt_thread_of(thread);
	if (own && own->in_last_barrier && heddle__ompt_current_team(thread) == heddle__ompt_held(own))
		leave_task(thread, heddle__current_task(&thread->stack));
	if (own)
		own->in_last_barrier = false;
	if (heddle__ompt_team_has_ended(thread))
		leave_ended_tasks(thread, task);
	if (!team)
		return;
	uint32_t depth = heddle__open_count(&thread->stack);
	heddle__ompt_team_hold(team, thread);
	if (alone)
		team->alone = true;
	heddle__task_begin(thread, (uintptr_t)task, team->context, team, 0);
	if (!heddle__pushed_at(&thread->stack, depth))
		heddle__ompt_team_release(team, thread); /* too deep to record */
}

static inline void enter_team(struct heddle_thread *thread, const ompt_data_t *parallel, struct heddle_ompt_team *team,
	ompt_data_t *task, bool alone)
{
	struct heddle_ompt_thread *own = heddle__ompt_thread_of(thread);
	task->ptr = team;
	if (own)
		own->word = parallel;
	if (!(own && own->in_last_barrier && change_team(thread, team, task)))
		enter_team_anew(thread, team, task, alone);
}

/*
 * A league's initial tasks belong to it as implicit tasks belong to a team; the program's initial task has no league.
 * For a league of one, LLVM's runtime passes no league or a former team; its creator, which executes it at once, has
 * recorded the right one.
 */
static void on_initial_task_begin(
	struct heddle_thread *thread, const ompt_data_t *parallel, ompt_data_t *task, unsigned int leagues)
{
	const struct heddle_ompt_thread *own = heddle__ompt_thread_of(thread);
	struct heddle_ompt_team *league = own ? own->league : NULL;
	if (!league && parallel)
		league = parallel->ptr;
	heddle__ompt_count_below(thread, HEDDLE_OMPT_INITIAL_TASK, league ? league->context : thread->base);
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
	heddle__ompt_count_with_change(thread, HEDDLE_OMPT_IMPLICIT_TASK, team->context);
	thread->number = (int32_t)number;
	heddle__record_number(thread, HEDDLE_TRACE_NUMBER_PARALLEL, heddle__ompt_team_number(team));
	heddle__record_number(thread, HEDDLE_TRACE_NUMBER_TEAM_SIZE, team_size);
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

unsigned int heddle__ompt_set_regions(ompt_set_callback_t set_callback)
{
	static const struct heddle_ompt_callback callbacks[] = {
		{ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin, NULL},
		{ompt_callback_thread_end, (ompt_callback_t)on_thread_end, NULL},
		{ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin, NULL},
		{ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end, NULL},
		{ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task, NULL},
	};
	return heddle__ompt_register(set_callback, callbacks, sizeof(callbacks) / sizeof(callbacks[0]));
}
