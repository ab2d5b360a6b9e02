/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Callbacks of the report's events, 1 to 61, 69 and 70; those of target devices are in ompt2015_target.c. What LLVM's
 * runtimes (version 1) do otherwise is in functions of their own: task_begin comes when the task starts, on the
 * thread that runs it, and many callbacks lack their last arguments.
 */
#include "models/ompt/ompt2015_events.h"

#include <stddef.h>

#include "core/control.h"
#include "core/process.h"
#include "core/region.h"
#include "core/thread.h"
#include "core/tree.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_team.h"

struct heddle_ompt2015_runtime heddle__ompt2015;

/* ---- OpenMP 5's callbacks ---- */

/* Those that the front end may set; its header need not know them all. */
enum {
	FIVE_TARGET = 8,
	FIVE_MUTEX_RELEASED = 17,
	FIVE_DEPENDENCES = 18,
	FIVE_TASK_DEPENDENCE = 19,
	FIVE_MASKED = 21,
	FIVE_LOCK_INIT = 24,
	FIVE_LOCK_DESTROY = 25,
	FIVE_FLUSH = 29,
	FIVE_LIMIT = 40
};

typedef void (*thread_begin_t)(ompt_thread_t, ompt_data_t *);
typedef void (*thread_end_t)(ompt_data_t *);
typedef void (*parallel_begin_t)(ompt_data_t *, const ompt_frame_t *, ompt_data_t *, unsigned int, int, const void *);
typedef void (*parallel_end_t)(ompt_data_t *, ompt_data_t *, int, const void *);
typedef void (*implicit_task_t)(ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, unsigned int, unsigned int, int);
typedef void (*task_create_t)(ompt_data_t *, const ompt_frame_t *, ompt_data_t *, int, int, const void *);
typedef void (*task_schedule_t)(ompt_data_t *, ompt_task_status_t, ompt_data_t *);
typedef void (*sync_region_t)(ompt_sync_region_t, ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, const void *);
typedef void (*work_t)(ompt_work_t, ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, uint64_t, const void *);
typedef void (*masked_t)(ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, const void *);
typedef void (*mutex_acquire_t)(ompt_mutex_t, unsigned int, unsigned int, ompt_wait_id_t, const void *);
typedef void (*mutex_t)(ompt_mutex_t, ompt_wait_id_t, const void *);
typedef void (*nest_lock_t)(ompt_scope_endpoint_t, ompt_wait_id_t, const void *);
typedef void (*flush_t)(ompt_data_t *, const void *);

static ompt_callback_t five[FIVE_LIMIT];

#define TELL(event, type, ...)                            \
	do {                                              \
		if (five[event])                          \
			((type)five[event])(__VA_ARGS__); \
	} while (0)

ompt_set_result_t heddle__ompt2015_keep_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	if ((unsigned int)event >= FIVE_LIMIT)
		return ompt_set_never;
	five[event] = callback;
	return ompt_set_always;
}

/* ---- the current task ---- */

bool heddle__ompt2015_task(int level, struct heddle_ompt2015_task *task)
{
	const struct heddle_ompt2015_runtime *runtime = &heddle__ompt2015;
	*task = (struct heddle_ompt2015_task){0};
	if (runtime->get_task_info) {
		ompt2015_frame_t *frame = NULL;
		bool found = runtime->get_task_info(level, &task->type, &task->id, &frame, &task->parallel);
		task->frame = found ? frame : NULL;
		return found;
	}
	task->id = runtime->get_task_id ? runtime->get_task_id(level) : 0;
	task->frame = runtime->get_task_frame ? runtime->get_task_frame(level) : NULL;
	task->parallel = runtime->get_parallel_id ? runtime->get_parallel_id(0) : 0;
	return task->id != 0 || task->frame;
}

static ompt_data_t unknown; /* the word of tasks and regions whose beginnings were not told; nobody writes it */

static ompt_data_t *word_of(enum heddle_ompt_names names, ompt2015_id_t id)
{
	struct heddle_ompt_named *named = heddle__ompt_name_find(names, id);
	return named ? &named->data : &unknown;
}

/* ---- threads ---- */

static _Thread_local uint32_t thread_number; /* small numbers of the runtime's, from 1; 0: none */

static void on_thread_begin(unsigned int type, ompt2015_id_t id)
{
	thread_number = id <= INT32_MAX ? (uint32_t)id : 0;
	TELL(ompt_callback_thread_begin, thread_begin_t, (ompt_thread_t)type, NULL);
}

static void on_thread_end(unsigned int type, ompt2015_id_t id)
{
	(void)type, (void)id;
	TELL(ompt_callback_thread_end, thread_end_t, NULL);
}

/* A worker outside regions is idle by itself; what is still open then is over. */
static void on_idle_begin(ompt2015_id_t id)
{
	(void)id;
	TELL(ompt_callback_task_schedule, task_schedule_t, NULL, ompt_task_switch, &unknown);
}

static void on_idle_end(ompt2015_id_t id)
{
	(void)id;
}

/* ---- parallel regions ---- */

/* Where the construct is, when no walk of the stack will find it: its outlined function. */
static const void *stand_in_place(const void *outlined)
{
	return outlined && !heddle__capture ? (const char *)outlined + 1 : NULL;
}

static void on_parallel_begin(ompt2015_id_t parent, const ompt2015_frame_t *parent_frame, ompt2015_id_t parallel,
	uint32_t requested, const void *outlined, int invoker)
{
	struct heddle_ompt_named *named = heddle__ompt_name_take(HEDDLE_OMPT_PARALLEL_IDS, parallel);
	ompt_frame_t frame = heddle__ompt2015_frame(parent_frame);
	(void)invoker;
	if (named)
		TELL(ompt_callback_parallel_begin, parallel_begin_t, word_of(HEDDLE_OMPT_TASK_IDS, parent), &frame,
			&named->data, requested, 0, stand_in_place(outlined));
}

static void end_implicit_task(ompt2015_id_t id)
{
	struct heddle_ompt_named *named = heddle__ompt_name_find(HEDDLE_OMPT_TASK_IDS, id);
	if (!named)
		return;
	TELL(ompt_callback_implicit_task, implicit_task_t, ompt_scope_end, NULL, &named->data, 0, 0,
		ompt_task_implicit);
	heddle__ompt_name_drop(named);
}

/* The creator's own implicit task ends with the region, if the runtime did not say so. */
static void end_left_over_task(const struct heddle_ompt_team *team)
{
	const struct heddle_thread *thread = heddle__thread_self();
	const struct heddle_region *task = thread ? heddle__current_task(thread) : NULL;
	if (team && task && task->place == (uintptr_t)team)
		end_implicit_task(atomic_load(&((struct heddle_ompt_named *)(uintptr_t)task->tag)->id));
}

static void on_parallel_end(ompt2015_id_t parallel, ompt2015_id_t task, int invoker)
{
	struct heddle_ompt_named *named = heddle__ompt_name_find(HEDDLE_OMPT_PARALLEL_IDS, parallel);
	(void)invoker;
	if (!named)
		return;
	end_left_over_task(named->data.ptr);
	TELL(ompt_callback_parallel_end, parallel_end_t, &named->data, word_of(HEDDLE_OMPT_TASK_IDS, task), 0, NULL);
	heddle__ompt_name_drop(named);
}

static void on_implicit_task_begin(ompt2015_id_t parallel, ompt2015_id_t task)
{
	const struct heddle_ompt2015_runtime *runtime = &heddle__ompt2015;
	struct heddle_ompt_named *named = heddle__ompt_name_take(HEDDLE_OMPT_TASK_IDS, task);
	int size = runtime->get_parallel_team_size ? runtime->get_parallel_team_size(0) : 2;
	if (named)
		TELL(ompt_callback_implicit_task, implicit_task_t, ompt_scope_begin,
			word_of(HEDDLE_OMPT_PARALLEL_IDS, parallel), &named->data, (unsigned int)size,
			thread_number - 1, ompt_task_implicit);
}

static void on_implicit_task_end(ompt2015_id_t parallel, ompt2015_id_t task)
{
	(void)parallel;
	end_implicit_task(task);
}

/* ---- explicit tasks ---- */

/* Where tasks of that one hang: its region's node, or its own. */
static uint32_t context_of(const struct heddle_thread *thread, const ompt_data_t *task)
{
	const struct heddle_ompt_team *team = task->ptr;
	if (task->value & 1)
		return (uint32_t)(task->value >> 1);
	return team ? team->context : thread->base;
}

/*
 * The task starts here; where it was created is not known any more but for its parent, and its construct by the
 * function that the compiler made of it.
 */
static void start_task(struct heddle_ompt_named *task, ompt2015_id_t parent, const void *outlined)
{
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	const struct heddle_event *event = &heddle__ompt_events[HEDDLE_OMPT_TASK];
	if (!thread)
		return;
	heddle__enter(thread);
	uint32_t context = context_of(thread, word_of(HEDDLE_OMPT_TASK_IDS, parent));
	uint64_t place = outlined ? heddle__call_place(thread, (const char *)outlined + 1) : 0;
	struct heddle_slot *slot =
		heddle__event_slot(thread, context, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), place);
	slot->value[HEDDLE_METRIC_VISITS] += heddle__events_count();
	task->data.value = (uint64_t)slot->node << 1 | 1;
	heddle__leave(thread);
	TELL(ompt_callback_task_schedule, task_schedule_t, NULL, ompt_task_switch, &task->data);
}

static void on_task_begin(
	ompt2015_id_t parent, const ompt2015_frame_t *parent_frame, ompt2015_id_t task, const void *outlined)
{
	struct heddle_ompt_named *named = heddle__ompt_name_take(HEDDLE_OMPT_TASK_IDS, task);
	ompt_frame_t frame = heddle__ompt2015_frame(parent_frame);
	struct heddle_ompt2015_task current;
	if (!named)
		return;
	if (heddle__ompt2015_task(0, &current) && current.id == task)
		start_task(named, parent, outlined);
	else
		TELL(ompt_callback_task_create, task_create_t, word_of(HEDDLE_OMPT_TASK_IDS, parent), &frame,
			&named->data, ompt_task_explicit, 0, stand_in_place(outlined));
}

static void on_task_end(ompt2015_id_t task)
{
	struct heddle_ompt_named *named = heddle__ompt_name_find(HEDDLE_OMPT_TASK_IDS, task);
	if (!named)
		return;
	TELL(ompt_callback_task_schedule, task_schedule_t, &named->data, ompt_task_complete, NULL);
	heddle__ompt_name_drop(named);
}

static void on_task_switch(ompt2015_id_t suspended, ompt2015_id_t resumed)
{
	TELL(ompt_callback_task_schedule, task_schedule_t, word_of(HEDDLE_OMPT_TASK_IDS, suspended), ompt_task_switch,
		word_of(HEDDLE_OMPT_TASK_IDS, resumed));
}

/* ---- registration ---- */

static const struct {
	enum ompt2015_event event;
	ompt_callback_t function;
} callbacks[] = {
#define ON(name)                                                  \
	{                                                         \
		ompt2015_event_##name, (ompt_callback_t)on_##name \
	}
	ON(parallel_begin),
	ON(parallel_end),
	ON(task_begin),
	ON(task_end),
	ON(thread_begin),
	ON(thread_end),
	ON(idle_begin),
	ON(idle_end),
	ON(implicit_task_begin),
	ON(implicit_task_end),
	ON(task_switch),
};

unsigned int heddle__ompt2015_set_callbacks(ompt2015_set_callback_t set_callback)
{
	unsigned int delivered = 0;
	for (size_t i = 0; i < sizeof(callbacks) / sizeof(callbacks[0]); i++) {
		int result = set_callback((int)callbacks[i].event, callbacks[i].function);
		heddle__ompt2015.delivers[callbacks[i].event] = (uint8_t)result;
		delivered += heddle__ompt2015_delivers(callbacks[i].event);
	}
	return delivered;
}
