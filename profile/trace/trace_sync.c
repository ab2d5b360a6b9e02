/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions are recognized by the kinds of their events: category, model, and whether a barrier is split into two phases.
 * The numbers of teams, tasks and locks are attributes of records. Without them, a team is what runs in a process (or
 * for a rank) at the same time, which is correct unless parallel regions are nested.
 */
#include "profile/trace/trace_sync.h"

#include "profile/trace/trace_barrier.h"
#include "profile/trace/trace_exchange.h"
#include "profile/trace/trace_follow.h"
#include "profile/trace/trace_roles.h"
#include "profile/trace/trace_table.h"

#include <errno.h>
#include <stdlib.h>

/* The threads that execute a parallel region. */
struct team {
	struct profile_trace_barriers barriers;
	struct profile_trace_point fork, end; /* begin by the creator; end of a worker's part */
	size_t creator;
	bool forked, met;
};

struct task {
	struct profile_trace_point created, child; /* child: end of the last child that ended */
	uint64_t parent;
};

/* A rank that waits for a lock. */
struct lock_waiter {
	size_t thread;
	uint32_t node; /* where, in the measurement's tree */
	uint64_t since_ns;
	uint64_t losses; /* of the thread, when it began to wait */
};

struct lock {
	struct profile_trace_point released;
	size_t holder;   /* thread + 1; 0: none, or unknown */
	uint64_t losses; /* of the holder, when it acquired the lock */
	uint64_t acquired_ns;
	struct lock_waiter *waiters; /* of a lock of ranks */
	size_t waiter_count, waiter_room;
};

struct member {
	uint64_t arrived;       /* number of the last barrier of all ranks that it arrived at; 0: unknown */
	uint64_t task_ended_ns; /* when it last ended a task */
	uint64_t losses;        /* how often records were lost */
};

struct sync {
	const struct profile_trace *trace;
	const struct profile_trace_sync_hooks *hooks;
	void *context;
	struct profile_trace_roles roles;
	struct member *members; /* by thread */
	struct profile_trace_barriers ranks;
	struct profile_trace_table teams, tasks, locks;
	struct profile_trace_exchange *exchange; /* collectives and messages */
	struct profile_trace_point *task_ends;   /* of each file: the last one */
	struct profile_trace_waiting *waits;     /* room for those of a lock that is released */
	size_t wait_room;
};

#define ALL_RANKS(ranks) ((uint64_t)(ranks) << 40) /* identity of all ranks, which no communicator has */
#define FALLBACK ((uint64_t)1 << 63)               /* for keys without an attribute */

/* Returns the kind of a node of the measurement's tree. */
static struct profile_trace_kind kind_of(const struct sync *sync, uint32_t tree_node)
{
	static const struct profile_trace_kind none = {HEDDLE_ROLE_NONE, false, 0};
	return tree_node == HEDDLE_NO_NODE ? none : sync->roles.of_node[tree_node];
}

/* ---- points ---- */

static int mark(struct sync *sync, struct profile_trace_point *point, size_t thread, uint64_t ns)
{
	int error = 0;
	profile_trace_mark(sync->hooks, sync->context, point, thread, ns, &error);
	return error;
}

static void drop(struct sync *sync, struct profile_trace_point *point)
{
	profile_trace_drop(sync->hooks, sync->context, point);
}

static void resume(struct sync *sync, size_t thread, uint64_t since_ns, const struct profile_trace_point *point)
{
	profile_trace_resume(sync->hooks, sync->context, thread, since_ns, point);
}

/* ---- teams ---- */

static uint64_t file_number(const struct sync *sync, size_t thread)
{
	return sync->trace->threads[thread].file;
}

/* Returns the number of the team that executes the innermost region. */
static uint64_t team_number(const struct sync *sync, size_t thread, const struct profile_trace_stack *stack)
{
	for (size_t i = stack->depth; i-- > 0;)
		if (profile_trace_has(&stack->entries[i].attributes, HEDDLE_TRACE_PARALLEL))
			return stack->entries[i].attributes.value[HEDDLE_TRACE_PARALLEL];
	const struct profile_thread *row = sync->trace->threads[thread].row;
	return FALLBACK | (row ? row->rank : 0);
}

static struct team *team_of(struct sync *sync, size_t thread, uint64_t number)
{
	return profile_trace_table_make(&sync->teams, file_number(sync, thread), number, sizeof(struct team));
}

static int free_team(struct sync *sync, struct team *team)
{
	int error = profile_trace_barriers_end(&team->barriers, sync->hooks, sync->context);
	drop(sync, &team->fork);
	drop(sync, &team->end);
	free(team);
	return error;
}

/* Runtimes reuse numbers after the end of a region, which the creator's own part records. */
static int begin_team(struct sync *sync, size_t thread, uint64_t number, uint64_t ns)
{
	uint64_t file = file_number(sync, thread);
	struct team *team = profile_trace_table_take(&sync->teams, file, number);
	int error = team ? free_team(sync, team) : 0;
	team = profile_trace_table_make(&sync->teams, file, number, sizeof(*team));
	if (!team || error)
		return error ? error : -ENOMEM;
	team->creator = thread;
	team->forked = true;
	return mark(sync, &team->fork, thread, ns);
}

/* A thread begins its part of a parallel region. */
static int join_team(
	struct sync *sync, size_t thread, uint64_t number, const struct profile_trace_attributes *attributes)
{
	struct team *team = team_of(sync, thread, number);
	if (!team)
		return -ENOMEM;
	if (profile_trace_has(attributes, HEDDLE_TRACE_TEAM_SIZE))
		team->barriers.size = attributes->value[HEDDLE_TRACE_TEAM_SIZE];
	resume(sync, thread, 0, &team->fork);
	return 0;
}

/*
 * A thread ends its part. A team that met at a barrier has ended there; what workers do later delays no other thread.
 */
static int leave_team(struct sync *sync, size_t thread, uint64_t number, uint64_t since_ns, uint64_t ns)
{
	struct team *team = profile_trace_table_find(&sync->teams, file_number(sync, thread), number);
	if (!team || !team->forked)
		return 0;
	if (team->creator != thread)
		return mark(sync, &team->end, thread, ns);
	if (!team->met)
		resume(sync, thread, since_ns, &team->end);
	profile_trace_table_take(&sync->teams, file_number(sync, thread), number);
	return free_team(sync, team);
}

/* ---- barriers ---- */

static int arrive(
	struct sync *sync, size_t thread, const struct profile_trace_stack *stack, struct profile_trace_kind kind)
{
	struct profile_trace_open *open = &stack->entries[stack->depth - 1];
	struct member *member = &sync->members[thread];
	struct profile_trace_waiter waiter = {
		.thread = thread,
		.node = profile_trace_open_node(sync->trace, thread, open),
		.ns = open->since_ns,
		.waits = kind.role == HEDDLE_ROLE_BARRIER,
	};
	if (!kind.ranked) {
		struct team *team = team_of(sync, thread, team_number(sync, thread, stack));
		if (!team)
			return -ENOMEM;
		team->met = true;
		open->number = profile_trace_barrier_number(&team->barriers);
		return profile_trace_barrier_arrive(&team->barriers, open->number, &waiter, sync->hooks, sync->context);
	}
	if (!profile_trace_is_rank(&sync->trace->threads[thread]))
		return 0;
	open->number = member->arrived ? member->arrived + 1 : profile_trace_barrier_number(&sync->ranks);
	member->arrived = open->number;
	return profile_trace_barrier_arrive(&sync->ranks, open->number, &waiter, sync->hooks, sync->context);
}

static int leave(struct sync *sync, size_t thread, const struct profile_trace_stack *stack,
	const struct profile_trace_open *open, struct profile_trace_kind kind)
{
	struct profile_trace_barriers *barriers = &sync->ranks;
	struct profile_trace_point point;
	const struct member *member = &sync->members[thread];
	if (!kind.ranked) {
		uint64_t number = team_number(sync, thread, stack);
		struct team *team = profile_trace_table_find(&sync->teams, file_number(sync, thread), number);
		if (!team)
			return 0;
		barriers = &team->barriers;
	}
	uint64_t number = kind.role == HEDDLE_ROLE_AWAIT ? member->arrived : open->number;
	int error = profile_trace_barrier_leave(barriers, number, sync->hooks, sync->context, &point);
	uint64_t since = member->task_ended_ns > open->since_ns ? member->task_ended_ns : open->since_ns;
	const struct profile_trace_point *task = &sync->task_ends[file_number(sync, thread)];
	/* Tasks are executed in barriers: then all may have waited for the end of the last one. */
	resume(sync, thread, since, !kind.ranked && task->token && task->ns > point.ns ? task : &point);
	return error;
}

/* The thread executed a task while it was at a barrier. */
static void take_task_time(struct sync *sync, size_t thread, const struct profile_trace_stack *stack,
	const struct profile_trace_part *busy)
{
	const struct profile_trace_open *open = stack->depth ? &stack->entries[stack->depth - 1] : NULL;
	if (!open || !open->number || kind_of(sync, open->tree_node).ranked)
		return;
	struct team *team =
		profile_trace_table_find(&sync->teams, file_number(sync, thread), team_number(sync, thread, stack));
	if (team)
		profile_trace_barrier_busy(&team->barriers, open->number, open->since_ns, busy);
}

/* ---- locks ---- */

/* Locks of ranked models have the same number in all processes. */
static struct lock *lock_of(
	struct sync *sync, size_t thread, const struct profile_trace_attributes *attributes, bool ranked)
{
	uint64_t whose = ranked ? FALLBACK : file_number(sync, thread);
	return profile_trace_table_make(&sync->locks, whose, attributes->value[HEDDLE_TRACE_LOCK], sizeof(struct lock));
}

static bool is_held_by_another(const struct sync *sync, const struct lock *lock, size_t thread)
{
	return lock->holder && lock->holder != thread + 1 && sync->members[lock->holder - 1].losses == lock->losses;
}

static int release(
	struct sync *sync, size_t thread, const struct profile_trace_attributes *attributes, bool ranked, uint64_t ns)
{
	struct lock *lock = lock_of(sync, thread, attributes, ranked);
	if (!lock)
		return -ENOMEM;
	if (is_held_by_another(sync, lock, thread))
		return 0; /* the holder has continued already */
	lock->holder = 0;
	return mark(sync, &lock->released, thread, ns);
}

/* A rank begins to wait for a lock. */
static int wait_for_lock(struct sync *sync, size_t thread, const struct profile_trace_open *open)
{
	struct lock *lock = lock_of(sync, thread, &open->attributes, true);
	if (!lock || profile_reserve(
			     &lock->waiters, &lock->waiter_room, lock->waiter_count + 1, sizeof(*lock->waiters)) != 0)
		return -ENOMEM;
	lock->waiters[lock->waiter_count++] = (struct lock_waiter){.thread = thread,
		.node = profile_trace_open_node(sync->trace, thread, open),
		.since_ns = open->since_ns,
		.losses = sync->members[thread].losses};
	return 0;
}

/* It has the lock now, or has lost events since it began to wait. */
static void drop_waiters(const struct sync *sync, struct lock *lock, size_t thread)
{
	size_t kept = 0;
	for (size_t i = 0; i < lock->waiter_count; i++) {
		struct lock_waiter waiter = lock->waiters[i];
		if (waiter.thread != thread && waiter.losses == sync->members[waiter.thread].losses)
			lock->waiters[kept++] = waiter;
	}
	lock->waiter_count = kept;
}

/* The holder makes others wait from when it has the lock until it begins to release it. */
static int report_lock_waits(struct sync *sync, const struct lock *lock, const struct profile_trace_open *open)
{
	struct profile_trace_meeting meeting = {.kind = HEDDLE_WAIT_LOCK,
		.last = lock->holder - 1,
		.node = profile_trace_open_node(sync->trace, lock->holder - 1, open),
		.first_ns = lock->acquired_ns,
		.last_ns = open->since_ns};
	if (profile_reserve(&sync->waits, &sync->wait_room, lock->waiter_count, sizeof(*sync->waits)) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < lock->waiter_count; i++) {
		const struct lock_waiter *waiter = &lock->waiters[i];
		uint64_t since = waiter->since_ns > lock->acquired_ns ? waiter->since_ns : lock->acquired_ns;
		uint64_t ns = open->since_ns > since ? open->since_ns - since : 0;
		if (!ns)
			continue;
		sync->waits[meeting.wait_count++] = (struct profile_trace_waiting){waiter->thread, waiter->node, ns};
		meeting.waited_ns += ns;
		meeting.longest_ns = ns > meeting.longest_ns ? ns : meeting.longest_ns;
	}
	meeting.waits = sync->waits;
	meeting.threads = meeting.wait_count + 1;
	return meeting.wait_count ? sync->hooks->met(sync->context, &meeting) : 0;
}

/* A rank begins to release a lock: it gives the lock away at some time before the end of the region. */
static int begin_release(struct sync *sync, size_t thread, const struct profile_trace_open *open, bool ranked)
{
	struct lock *lock = lock_of(sync, thread, &open->attributes, ranked);
	int error = 0;
	if (!lock)
		return -ENOMEM;
	if (sync->hooks->met && lock->holder == thread + 1 && lock->losses == sync->members[thread].losses) {
		drop_waiters(sync, lock, thread);
		error = report_lock_waits(sync, lock, open);
	}
	return error ? error : release(sync, thread, &open->attributes, ranked, open->since_ns);
}

/*
 * OpenMP runtimes report a release afterwards, when the next thread may already have reported its acquisition. Then the
 * holder released the lock before now, and its path so far led to the acquisition.
 */
static int acquire(struct sync *sync, size_t thread, const struct profile_trace_open *open, bool ranked, uint64_t ns)
{
	if (!profile_trace_has(&open->attributes, HEDDLE_TRACE_LOCK))
		return 0;
	struct lock *lock = lock_of(sync, thread, &open->attributes, ranked);
	if (!lock)
		return -ENOMEM;
	int error = is_held_by_another(sync, lock, thread) ? mark(sync, &lock->released, lock->holder - 1, ns) : 0;
	if (!error)
		resume(sync, thread, open->since_ns, &lock->released);
	drop_waiters(sync, lock, thread);
	lock->acquired_ns = ns;
	lock->holder = thread + 1;
	lock->losses = sync->members[thread].losses;
	return error;
}

/* ---- tasks ---- */

/* Returns the number of the task that a thread executes. Implicit tasks are identified by their threads. */
static uint64_t current_task(size_t thread, const struct profile_trace_stack *stack)
{
	for (size_t i = stack->depth; i-- > 0;) {
		if (profile_trace_has(&stack->entries[i].attributes, HEDDLE_TRACE_PARALLEL))
			break;
		if (profile_trace_has(&stack->entries[i].attributes, HEDDLE_TRACE_TASK))
			return stack->entries[i].attributes.value[HEDDLE_TRACE_TASK];
	}
	return FALLBACK | thread;
}

static int create_task(
	struct sync *sync, size_t thread, const struct profile_trace_stack *stack, uint64_t number, uint64_t ns)
{
	struct task *task = profile_trace_table_make(&sync->tasks, file_number(sync, thread), number, sizeof(*task));
	if (!task)
		return -ENOMEM;
	task->parent = current_task(thread, stack);
	return mark(sync, &task->created, thread, ns);
}

/* The thread was without work since it ended another task, or since it began to wait. */
static void begin_task(
	struct sync *sync, size_t thread, const struct profile_trace_stack *stack, size_t level, uint64_t number)
{
	const struct task *task = profile_trace_table_find(&sync->tasks, file_number(sync, thread), number);
	const struct profile_trace_open *around = level ? &stack->entries[level - 1] : NULL;
	enum profile_trace_role role = around ? kind_of(sync, around->tree_node).role : HEDDLE_ROLE_BARRIER;
	uint64_t since = sync->members[thread].task_ended_ns;
	if (around && around->since_ns > since)
		since = around->since_ns;
	if (task && (role == HEDDLE_ROLE_BARRIER || role == HEDDLE_ROLE_TASKS))
		resume(sync, thread, since, &task->created);
}

static void free_task(struct sync *sync, struct task *task)
{
	drop(sync, &task->created);
	drop(sync, &task->child);
	free(task);
}

static int end_task(struct sync *sync, size_t thread, uint64_t number, uint64_t ns)
{
	uint64_t file = file_number(sync, thread);
	struct task *task = profile_trace_table_take(&sync->tasks, file, number);
	sync->members[thread].task_ended_ns = ns;
	int error = mark(sync, &sync->task_ends[file], thread, ns);
	if (!task || error) {
		if (task)
			free_task(sync, task);
		return error;
	}
	bool implicit = task->parent & FALLBACK;
	struct task *parent = implicit ? profile_trace_table_make(&sync->tasks, file, task->parent, sizeof(*parent))
				       : profile_trace_table_find(&sync->tasks, file, task->parent);
	free_task(sync, task);
	return parent ? mark(sync, &parent->child, thread, ns) : implicit ? -ENOMEM : 0;
}

static void end_task_wait(struct sync *sync, size_t thread, const struct profile_trace_stack *stack,
	const struct profile_trace_open *open)
{
	uint64_t since = sync->members[thread].task_ended_ns;
	const struct task *task =
		profile_trace_table_find(&sync->tasks, file_number(sync, thread), current_task(thread, stack));
	if (task)
		resume(sync, thread, since > open->since_ns ? since : open->since_ns, &task->child);
}

/* ---- regions ---- */

/* In a model without communicators, a collective is one of all ranks: none leaves before all have entered. */
static void meet_all(const struct sync *sync, struct profile_trace_open *open)
{
	open->attributes.given |= 1u << HEDDLE_TRACE_COMMUNICATOR;
	open->attributes.value[HEDDLE_TRACE_COMMUNICATOR] = ALL_RANKS(sync->roles.ranks);
}

static int enter_collective(
	struct sync *sync, size_t thread, struct profile_trace_open *open, struct profile_trace_kind kind)
{
	enum heddle_event_role waits = (enum heddle_event_role)kind.waits;
	bool of_all = kind.ranked && profile_trace_has(&open->attributes, HEDDLE_TRACE_MEETS) &&
		      !profile_trace_has(&open->attributes, HEDDLE_TRACE_COMMUNICATOR) &&
		      profile_trace_is_rank(&sync->trace->threads[thread]);
	if (of_all)
		meet_all(sync, open);
	return profile_trace_exchange_enter(sync->exchange, thread, open, of_all ? HEDDLE_EVENT_MUTUAL : waits);
}

static int on_begun(void *context, size_t thread, const struct profile_trace_stack *stack)
{
	struct sync *sync = context;
	struct profile_trace_open *open = &stack->entries[stack->depth - 1];
	struct profile_trace_kind kind = kind_of(sync, open->tree_node);
	if (kind.role == HEDDLE_ROLE_COLLECTIVE)
		return enter_collective(sync, thread, open, kind);
	if (kind.role == HEDDLE_ROLE_BARRIER || kind.role == HEDDLE_ROLE_NOTIFY)
		return arrive(sync, thread, stack, kind);
	if (kind.role == HEDDLE_ROLE_AWAIT)
		profile_trace_barrier_wait(&sync->ranks, sync->members[thread].arrived, open->since_ns);
	if (kind.role == HEDDLE_ROLE_UNLOCK && profile_trace_has(&open->attributes, HEDDLE_TRACE_LOCK))
		return begin_release(sync, thread, open, kind.ranked);
	bool waits = kind.role == HEDDLE_ROLE_LOCK && kind.ranked && sync->hooks->met;
	return waits && profile_trace_has(&open->attributes, HEDDLE_TRACE_LOCK) ? wait_for_lock(sync, thread, open) : 0;
}

static int on_ended(void *context, size_t thread, const struct profile_trace_stack *stack,
	const struct profile_trace_open *open, const struct profile_trace_attributes *attributes, uint64_t ns)
{
	struct sync *sync = context;
	struct profile_trace_kind kind = kind_of(sync, open->tree_node);
	if (!open->region && profile_trace_has(&open->attributes, HEDDLE_TRACE_PARALLEL))
		return leave_team(sync, thread, open->attributes.value[HEDDLE_TRACE_PARALLEL], open->since_ns, ns);
	if (!open->region) {
		take_task_time(sync, thread, stack, &(struct profile_trace_part){open->since_ns, ns});
		return 0;
	}
	switch (kind.role) {
	case HEDDLE_ROLE_BARRIER:
	case HEDDLE_ROLE_AWAIT:
		return leave(sync, thread, stack, open, kind);
	case HEDDLE_ROLE_COLLECTIVE:
		return profile_trace_exchange_leave(sync->exchange, thread, open, ns);
	case HEDDLE_ROLE_TASKS:
		end_task_wait(sync, thread, stack, open);
		return 0;
	case HEDDLE_ROLE_ATTEMPT:
		if (!profile_trace_has(attributes, HEDDLE_TRACE_LOCK))
			return 0; /* another one has it */
		return acquire(sync, thread, open, kind.ranked, ns);
	case HEDDLE_ROLE_LOCK:
		return acquire(sync, thread, open, kind.ranked, ns);
	case HEDDLE_ROLE_ACCESS:
		return profile_trace_exchange_return(sync->exchange, thread, open, ns);
	case HEDDLE_ROLE_UNLOCK:
		return 0;
	default:
		return profile_trace_has(attributes, HEDDLE_TRACE_LOCK)
			       ? release(sync, thread, attributes, kind.ranked, ns)
			       : 0;
	}
}

/* ---- attributes of tasks and teams ---- */

static void give(struct profile_trace_open *open, const struct profile_trace_attributes *attributes,
	enum heddle_trace_attribute attribute)
{
	open->attributes.given |= 1u << attribute;
	open->attributes.value[attribute] = attributes->value[attribute];
}

/* Returns the level of the task that a thread executes; the stack's depth: none. */
static size_t task_level(const struct profile_trace_stack *stack)
{
	size_t level = stack->depth;
	while (level > 0 && stack->entries[level - 1].region)
		level--;
	return level ? level - 1 : stack->depth;
}

static int take_parallel(struct sync *sync, size_t thread, struct profile_trace_stack *stack,
	const struct profile_trace_event *event, const struct profile_trace_attributes *attributes)
{
	uint64_t number = attributes->value[HEDDLE_TRACE_PARALLEL];
	size_t level = task_level(stack);
	if (event->kind == HEDDLE_TRACE_VISIT && kind_of(sync, event->tree_node).role == HEDDLE_ROLE_PARALLEL)
		return begin_team(sync, thread, number, event->time_ns);
	bool joins = event->kind == HEDDLE_TRACE_OPEN || profile_trace_has(attributes, HEDDLE_TRACE_TEAM_SIZE);
	if (level == stack->depth || !joins)
		return 0;
	give(&stack->entries[level], attributes, HEDDLE_TRACE_PARALLEL);
	return join_team(sync, thread, number, attributes);
}

static void take_task(struct sync *sync, size_t thread, struct profile_trace_stack *stack,
	const struct profile_trace_attributes *attributes)
{
	uint64_t number = attributes->value[HEDDLE_TRACE_TASK];
	size_t level = task_level(stack);
	if (level == stack->depth)
		return;
	struct profile_trace_open *open = &stack->entries[level];
	bool same = profile_trace_has(&open->attributes, HEDDLE_TRACE_TASK) &&
		    open->attributes.value[HEDDLE_TRACE_TASK] == number;
	give(open, attributes, HEDDLE_TRACE_TASK);
	if (!same)
		begin_task(sync, thread, stack, level, number);
}

static int on_record(void *context, size_t thread, struct profile_trace_stack *stack,
	const struct profile_trace_event *event, const struct profile_trace_attributes *attributes)
{
	struct sync *sync = context;
	int error = 0;
	if (event->kind == HEDDLE_TRACE_MARK && event->operand == HEDDLE_TRACE_DROPPED) {
		sync->members[thread].arrived = 0;
		sync->members[thread].losses++;
		profile_trace_exchange_lose(sync->exchange, thread);
	}
	if (event->kind == HEDDLE_TRACE_MESSAGE)
		error = profile_trace_exchange_message(sync->exchange, thread, stack, event);
	if (!error && profile_trace_has(attributes, HEDDLE_TRACE_PARALLEL))
		error = take_parallel(sync, thread, stack, event, attributes);
	if (!error && profile_trace_has(attributes, HEDDLE_TRACE_TASK_END))
		error = end_task(sync, thread, attributes->value[HEDDLE_TRACE_TASK_END], event->time_ns);
	if (!error && profile_trace_has(attributes, HEDDLE_TRACE_TASK_CREATE))
		error = create_task(sync, thread, stack, attributes->value[HEDDLE_TRACE_TASK_CREATE], event->time_ns);
	if (profile_trace_has(attributes, HEDDLE_TRACE_TASK))
		take_task(sync, thread, stack, attributes);
	if (sync->hooks->event)
		sync->hooks->event(sync->context, thread, event->time_ns);
	const struct profile_trace_open *inside = stack->depth ? &stack->entries[stack->depth - 1] : NULL;
	if (sync->hooks->leave)
		sync->hooks->leave(
			sync->context, thread, inside ? profile_trace_open_node(sync->trace, thread, inside) : 0);
	return error;
}

static void on_any(void *context, size_t thread, uint64_t ns)
{
	struct sync *sync = context;
	if (sync->hooks->enter)
		sync->hooks->enter(sync->context, thread, ns);
}

static int on_first(void *context, size_t thread, uint64_t ns)
{
	struct sync *sync = context;
	size_t creator = thread;
	while (creator > 0 && sync->trace->threads[creator - 1].file == sync->trace->threads[thread].file)
		creator--;
	if (sync->hooks->begin)
		sync->hooks->begin(sync->context, thread, creator, ns);
	return 0;
}

/* ---- the end ---- */

static int end_sync(struct sync *sync)
{
	void *value;
	int error = profile_trace_barriers_end(&sync->ranks, sync->hooks, sync->context), more;
	while ((value = profile_trace_table_drain(&sync->teams)) != NULL)
		if ((more = free_team(sync, value)) != 0)
			error = more;
	while ((value = profile_trace_table_drain(&sync->tasks)) != NULL)
		free_task(sync, value);
	while ((value = profile_trace_table_drain(&sync->locks)) != NULL) {
		free(((struct lock *)value)->waiters);
		drop(sync, &((struct lock *)value)->released);
		free(value);
	}
	for (size_t f = 0; sync->task_ends && f < sync->trace->file_count; f++)
		drop(sync, &sync->task_ends[f]);
	free(sync->waits);
	free(sync->task_ends);
	more = profile_trace_exchange_close(sync->exchange);
	error = error ? error : more;
	free(sync->members);
	profile_trace_roles_free(&sync->roles);
	return error;
}

int profile_trace_sync(const struct profile_trace *trace, const struct profile_trace_sync_hooks *hooks, void *context)
{
	static const struct profile_trace_follow_hooks follow = {
		.first = on_first, .before = on_any, .begun = on_begun, .ended = on_ended, .record = on_record};
	struct sync sync = {.trace = trace, .hooks = hooks, .context = context};
	sync.members = calloc(trace->thread_count + 1, sizeof(*sync.members));
	sync.task_ends = calloc(trace->file_count + 1, sizeof(*sync.task_ends));
	sync.exchange = profile_trace_exchange_open(trace, hooks, context);
	bool made = sync.members && sync.task_ends && sync.exchange;
	int error = made ? profile_trace_roles_find(&sync.roles, trace) : -ENOMEM;
	sync.ranks.expected = sync.roles.ranks;
	if (!error)
		error = profile_trace_follow(trace, &follow, &sync);
	int more = end_sync(&sync);
	return error ? error : more;
}
