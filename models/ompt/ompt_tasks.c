/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Explicit tasks. A task's data word (for the tool's use) holds its context, whether it has started, and if the task is
 * undeferred, the depth of its creator's stack. It is odd; the words of implicit tasks are even (ompt_events.c).
 */
#include "core/base/likely.h"
#include "core/threads/control.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/tree/tree.h"
#include "models/ompt/ompt_callbacks.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_place.h"
#include "models/ompt/ompt_team.h"

#define EXPLICIT ((uint64_t)1)
#define STARTED ((uint64_t)1 << 33)
#define DEPTH_SHIFT 34 /* bits above: an undeferred task's depth, while sampling */
#define WITHOUT_DEPTH (((uint64_t)1 << DEPTH_SHIFT) - 1)
_Static_assert(HEDDLE_TASK_DEPTHS == (uint64_t)1 << (64 - DEPTH_SHIFT), "a depth fits a word");

static uint32_t context_of(uint64_t word)
{
	return (uint32_t)(word >> 1);
}

/*
 * True if the runtime splits a taskloop: the executing explicit task creates others on behalf of its own creator, so
 * the reported frames are not those of the executing task. Heddle treats these as the same task.
 */
static bool is_split_off(const struct heddle_thread *thread, const ompt_data_t *named_creator)
{
	const struct heddle_region *current = heddle__current_task(&thread->stack);
	return current && !current->owner && current->task.name != (uintptr_t)named_creator;
}

/* A taskwait with dependences is reported as a task that no thread executes; it ends with its own schedule event. */
static void begin_taskwait(struct heddle_thread *thread, const void *return_address)
{
	const struct heddle_event *event = heddle__ompt_event(HEDDLE_OMPT_TASKWAIT);
	if (event)
		heddle__ompt_begin(thread, event, return_address);
}

/* Returns the context of a task that is created at an unknown site; see heddle__ompt_construct. */
static struct heddle_ompt_context create_unknown(
	struct heddle_thread *thread, const ompt_frame_t *frame, struct heddle_call call, const void *return_address)
{
	const struct heddle_event *event = &heddle__ompt_events[HEDDLE_OMPT_TASK];
	uint64_t place = heddle__ompt_construct_place(thread, return_address);
	bool certain = heddle__ompt_is_innermost(thread, HEDDLE_OMPT_TASKLOOP); /* its event may have no place */
	struct heddle_ompt_context found = heddle__ompt_construct(thread, event, place, frame, call, certain);
	if (heddle__ompt_thread_make(thread) && heddle__ompt_by_site(thread))
		heddle__ompt_keep_site(thread, event, heddle__current_node(thread), return_address, place, found.node);
	return found;
}

/*
 * Returns the call of the runtime by the creator: from the reported frame if that returns to the creator, else `own`.
 * LLVM's frame is one too far out for an undeferred task, and may be anywhere for a task with dependences.
 */
static struct heddle_call entry_of_creation(const struct heddle_thread *thread, const ompt_frame_t *frame,
	struct heddle_call own, const void *return_address)
{
	struct heddle_call call = heddle__ompt_entry(thread, frame, own);
	return call.pc == (uintptr_t)return_address ? call : own;
}

/* Creates a task at an unknown site. `own` is the callback's call. Also calls heddle__leave. */
__attribute__((noinline)) static void create(struct heddle_thread *thread, const ompt_frame_t *frame,
	ompt_data_t *new_task, int flags, bool split_off, struct heddle_call own, const void *return_address)
{
	struct heddle_ompt_context context = {.node = heddle__task_node(thread)};
	uint64_t depth = 0;
	if (flags & ompt_task_taskwait) {
		begin_taskwait(thread, return_address);
	} else if (!split_off) {
		struct heddle_call call = entry_of_creation(thread, frame, own, return_address);
		context = create_unknown(thread, frame, call, return_address);
	}
	if (flags & ompt_task_undeferred && heddle__capture)
		depth = heddle__task_depth(thread, context.sp);
	new_task->value = depth << DEPTH_SHIFT | (uint64_t)context.node << 1 | EXPLICIT;
	heddle__record_number(thread, HEDDLE_TRACE_NUMBER_TASK_CREATE, heddle__trace_number_of((uintptr_t)new_task));
	heddle__leave(thread);
}

/* Returns the known site of a task's creation: usually that of the last task. */
static inline const struct heddle_known_site *find_creation(struct heddle_thread *thread, const void *return_address)
{
	const struct heddle_event *event = &heddle__ompt_events[HEDDLE_OMPT_TASK];
	struct heddle_ompt_thread *own = heddle__ompt_thread_of(thread);
	if (!HEDDLE_LIKELY(own && heddle__ompt_by_site(thread)))
		return NULL;
	uint32_t parent = heddle__fast_path_node(thread);
	if (HEDDLE_LIKELY(own->created && heddle__is_site(thread, own->created, parent, event->id, return_address)))
		return own->created;
	const struct heddle_known_site *site = heddle__known_site(thread, parent, event->id, return_address);
	return own->created = site;
}

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *new_task, int flags,
	int has_dependences, const void *return_address)
{
	struct heddle_thread *thread = heddle__thread_self();
	const struct heddle_known_site *site = NULL;
	(void)has_dependences;
	if (!thread || !new_task || flags & ompt_task_initial)
		return;
	heddle__enter(thread);
	uint64_t now = heddle__trace_ticks(thread);
	bool split_off = is_split_off(thread, task);
	if (HEDDLE_LIKELY(!split_off && !(flags & ompt_task_taskwait)))
		site = find_creation(thread, return_address);
	if (HEDDLE_LIKELY(site)) {
		new_task->value = (uint64_t)site->slot->node << 1 | EXPLICIT;
		heddle__visit_numbered(thread, site->slot, now, HEDDLE_TRACE_NUMBER_TASK_CREATE,
			heddle__trace_number_of((uintptr_t)new_task));
		heddle__leave(thread);
		return;
	}
	create(thread, frame, new_task, flags, split_off, heddle__call_here(), return_address);
}

/* Counts the status of the prior task, except completion, which every task has. */
static void count_status(struct heddle_thread *thread, const ompt_data_t *prior, ompt_task_status_t status)
{
	static const uint8_t events[] = {
		[ompt_task_yield] = HEDDLE_OMPT_TASK_YIELD,
		[ompt_task_cancel] = HEDDLE_OMPT_TASK_CANCEL,
		[ompt_task_detach] = HEDDLE_OMPT_TASK_DETACH,
		[ompt_task_early_fulfill] = HEDDLE_OMPT_TASK_FULFILL,
		[ompt_task_late_fulfill] = HEDDLE_OMPT_TASK_FULFILL,
	};
	if ((unsigned int)status < sizeof(events) && events[status] && prior && prior->value & EXPLICIT)
		heddle__ompt_count_below(thread, events[status], context_of(prior->value));
}

static struct heddle_ompt_known_task *known_task(struct heddle_ompt_thread *own, uint64_t word)
{
	return &own->tasks[(word >> 1) % HEDDLE_OMPT_KNOWN_TASKS];
}

/* Caches the slots for later tasks with the same word, if their starts are counted. */
static void keep_task(struct heddle_thread *thread, uint64_t word)
{
	const struct heddle_event *event = heddle__ompt_event(HEDDLE_OMPT_TASK_SCHEDULE);
	struct heddle_ompt_thread *own = event ? heddle__ompt_thread_make(thread) : NULL;
	if (!own || !heddle__takes_fast_path(thread))
		return;
	uint32_t context = context_of(word), meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	struct heddle_slot *time = heddle__task_slot(thread, context);
	struct heddle_slot *starts = heddle__event_slot(thread, context, meta, 0);
	if (heddle__is_lasting(time) && heddle__is_lasting(starts))
		*known_task(own, word) =
			(struct heddle_ompt_known_task){.word = word & WITHOUT_DEPTH, .time = time, .starts = starts};
}

/* Records the stack depth at which the current task was called, if it is an undeferred one. */
static inline void note_depth(struct heddle_thread *thread, const ompt_data_t *task)
{
	if (HEDDLE_UNLIKELY(task->value >> DEPTH_SHIFT))
		heddle__task_called_at(thread, (uintptr_t)task, (uint32_t)(task->value >> DEPTH_SHIFT));
}

/*
 * A task that has not started is on no thread's stack, so no search is needed. Returns false if the slow path is
 * needed.
 */
static inline bool start_known(struct heddle_thread *thread, ompt_data_t *next)
{
	struct heddle_ompt_thread *own = heddle__ompt_thread_of(thread);
	uint64_t word = next->value;
	const struct heddle_ompt_known_task *known = own ? known_task(own, word) : NULL;
	if (!known || !word || known->word != (word & WITHOUT_DEPTH) ||
		!heddle__task_begin_known(thread, (uintptr_t)next, context_of(word), known->time, known->starts))
		return false;
	next->value = word | STARTED;
	note_depth(thread, next);
	return true;
}

static void schedule_explicit(struct heddle_thread *thread, ompt_data_t *next, uint64_t when)
{
	uint32_t context = context_of(next->value);
	if (next->value & STARTED) {
		heddle__task_switch(thread, (uintptr_t)next, context, NULL, when);
	} else {
		heddle__task_begin(thread, (uintptr_t)next, context, NULL, when);
		keep_task(thread, next->value);
		next->value |= STARTED;
	}
	note_depth(thread, next);
	heddle__ompt_count_below(thread, HEDDLE_OMPT_TASK_SCHEDULE, context);
}

/* Makes `next` current from the measured tick `when` on (0: now). */
static void schedule_next(struct heddle_thread *thread, ompt_data_t *next, uint64_t when)
{
	if (next->value & EXPLICIT)
		schedule_explicit(thread, next, when);
	else if (next->ptr)
		heddle__task_switch(
			thread, (uintptr_t)next, ((struct heddle_ompt_team *)next->ptr)->context, next->ptr, when);
	else
		heddle__ompt_leave_tasks(thread);
}

/* Ends a task; `next`, if any, continues. */
static void complete(struct heddle_thread *thread, const ompt_data_t *prior, ompt_data_t *next)
{
	uint64_t now = heddle__events_give_time ? heddle__measured_ticks() : 0;
	heddle__task_end(thread, (uintptr_t)prior, now);
	if (next)
		schedule_next(thread, next, now);
}

/* Records for a trace, in addition to the changes of the stack, which task has ended and which one continues. */
static inline void record_schedule(
	struct heddle_thread *thread, const ompt_data_t *prior, ompt_task_status_t status, const ompt_data_t *next)
{
	if (!heddle__is_traced(thread))
		return;
	if (prior && (status == ompt_task_complete || status == ompt_task_cancel))
		heddle__trace_attribute(thread, HEDDLE_TRACE_TASK_END, heddle__trace_number_of((uintptr_t)prior));
	if (next)
		heddle__trace_attribute(thread, HEDDLE_TRACE_TASK, heddle__trace_number_of((uintptr_t)next));
}

/* The slow path. Also calls heddle__leave. */
__attribute__((noinline)) static void schedule(
	struct heddle_thread *thread, const ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	bool ends = prior && prior->value & EXPLICIT && (status == ompt_task_complete || status == ompt_task_cancel);
	count_status(thread, prior, status);
	if (status == ompt_taskwait_complete)
		heddle__region_end(thread, &heddle__ompt_events[HEDDLE_OMPT_TASKWAIT]);
	if (ends)
		complete(thread, prior, next);
	else if (next && status != ompt_task_early_fulfill && status != ompt_task_late_fulfill)
		schedule_next(thread, next, 0);
	record_schedule(thread, prior, status, next);
	heddle__leave(thread);
}

static inline bool return_to(struct heddle_thread *thread, const ompt_data_t *prior, const ompt_data_t *next)
{
	if (!heddle__task_return(thread, (uintptr_t)prior, (uintptr_t)next))
		return false;
	if (next->value & EXPLICIT)
		heddle__ompt_count_with_change(thread, HEDDLE_OMPT_TASK_SCHEDULE, context_of(next->value));
	return true;
}

/* Fast paths: a new task starts; or a task ends, and the one in which it started continues. */
static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	struct heddle_thread *thread = heddle__thread_self();
	bool done = false;
	if (!thread)
		return;
	heddle__enter(thread);
	if (status == ompt_task_switch)
		done = next && start_known(thread, next);
	else if (status == ompt_task_complete)
		done = prior && prior->value & EXPLICIT && return_to(thread, prior, next);
	if (HEDDLE_LIKELY(done))
		heddle__leave(thread);
	else
		schedule(thread, prior, status, next);
}

unsigned int heddle__ompt_set_tasks(ompt_set_callback_t set_callback)
{
	static const struct heddle_ompt_callback callbacks[] = {
		{ompt_callback_task_create, (ompt_callback_t)on_task_create, NULL},
		{ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule, NULL},
	};
	return heddle__ompt_register(set_callback, callbacks, sizeof(callbacks) / sizeof(callbacks[0]));
}
