/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events without duration: each adds one visit to its call path. Some are frequent (a loop's chunk, a flush), so only
 * the place is looked up.
 */
#include <stddef.h>

#include "core/threads/region.h"
#include "models/ompt/ompt_callbacks.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_place.h"

/* Not inlined, since without a trace no tick is recorded. Also calls heddle__leave. */
__attribute__((noinline)) static void count_traced(
	struct heddle_thread *thread, const struct heddle_event *event, bool has_place, const void *return_address)
{
	uint64_t now = heddle__trace_ticks(thread);
	uint64_t place = has_place ? heddle__ompt_place(thread, return_address) : 0;
	heddle__ompt_count_when(thread, event, place, return_address, now);
	heddle__leave(thread);
}

static inline void count_one(const struct heddle_event *event, bool has_place, const void *return_address)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (!thread || !event)
		return;
	heddle__enter(thread);
	if (heddle__is_traced(thread)) {
		count_traced(thread, event, has_place, return_address);
		return;
	}
	uint64_t place = has_place ? heddle__ompt_place(thread, return_address) : 0;
	heddle__ompt_count_when(thread, event, place, return_address, 0);
	heddle__leave(thread);
}

static void count(const struct heddle_event *event, const void *return_address)
{
	count_one(event, true, return_address);
}

/* For an event that belongs to the open construct and has no place of its own. */
static void count_inside(const struct heddle_event *event)
{
	count_one(event, false, NULL);
}

/* A lock that is being initialized or destroyed has no holder, though the program may not have released it. */
static void count_lock(
	const struct heddle_event *event, ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *return_address)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (!thread)
		return;
	heddle__enter(thread);
	heddle__ompt_forget_lock(thread, kind, wait_id);
	if (event)
		heddle__ompt_count(thread, event, heddle__ompt_place(thread, return_address), return_address);
	heddle__leave(thread);
}

static void on_lock_init(ompt_mutex_t kind, unsigned int hint, unsigned int implementation, ompt_wait_id_t wait_id,
	const void *return_address)
{
	(void)hint, (void)implementation;
	count_lock(heddle__ompt_kind(heddle__ompt_lock_init_events, kind), kind, wait_id, return_address);
}

static void on_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *return_address)
{
	count_lock(heddle__ompt_kind(heddle__ompt_lock_destroy_events, kind), kind, wait_id, return_address);
}

/* Loops that wait for a variable flush again and again. */
static void on_flush(ompt_data_t *unused, const void *return_address)
{
	struct heddle_thread *thread = heddle__thread_self();
	const struct heddle_event *event = heddle__ompt_event(HEDDLE_OMPT_FLUSH);
	(void)unused;
	if (!thread || !event)
		return;
	heddle__enter(thread);
	uint64_t place = heddle__ompt_place(thread, return_address);
	struct heddle_slot *slot = heddle__ompt_count_slot(thread, event, place, return_address);
	if (slot)
		heddle__visit_repeated(thread, slot);
	heddle__leave(thread);
}

static void on_cancel(ompt_data_t *task, int flags, const void *return_address)
{
	(void)task;
	count(heddle__ompt_cancel_event(flags), return_address);
}

/* LLVM's runtimes report GCC's `sections` as a loop, whose chunks are the sections. */
static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance)
{
	const struct heddle_thread *thread = heddle__thread_self();
	(void)parallel, (void)task, (void)instance;
	if (kind == ompt_dispatch_ws_loop_chunk && thread && heddle__ompt_is_innermost(thread, HEDDLE_OMPT_SECTIONS))
		kind = ompt_dispatch_section;
	count_inside(heddle__ompt_kind(heddle__ompt_dispatch_events, kind));
}

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *list, int length)
{
	enum heddle_ompt_event event = HEDDLE_OMPT_DEPEND;
	(void)task;
	if (list && length > 0 && list->dependence_type == ompt_dependence_type_source)
		event = HEDDLE_OMPT_DOACROSS_SOURCE;
	else if (list && length > 0 && list->dependence_type == ompt_dependence_type_sink)
		event = HEDDLE_OMPT_DOACROSS_SINK;
	count_inside(heddle__ompt_event(event));
}

static void on_task_dependence(ompt_data_t *source, ompt_data_t *sink)
{
	(void)source, (void)sink;
	count_inside(heddle__ompt_event(HEDDLE_OMPT_TASK_DEPENDENCE));
}

static void on_error(int severity, const char *message, size_t length, const void *return_address)
{
	(void)severity, (void)message, (void)length;
	count(heddle__ompt_event(HEDDLE_OMPT_ERROR), return_address);
}

/* Counted after `start`, but before other commands, so that both ends of a pause are counted. */
static int on_control_tool(uint64_t command, uint64_t modifier, void *argument, const void *return_address)
{
	const struct heddle_event *event = heddle__ompt_event(HEDDLE_OMPT_CONTROL_TOOL);
	(void)modifier, (void)argument;
	if (command != omp_control_tool_start)
		count(event, return_address);
	int result = heddle__ompt_control(command);
	if (command == omp_control_tool_start)
		count(event, return_address);
	return result;
}

unsigned int heddle__ompt_set_counts(ompt_set_callback_t set_callback)
{
	static const struct heddle_ompt_callback callbacks[] = {
		{ompt_callback_lock_init, (ompt_callback_t)on_lock_init, "ompt_callback_lock_init"},
		{ompt_callback_lock_destroy, (ompt_callback_t)on_lock_destroy, "ompt_callback_lock_destroy"},
		{ompt_callback_flush, (ompt_callback_t)on_flush, "ompt_callback_flush"},
		{ompt_callback_cancel, (ompt_callback_t)on_cancel, "ompt_callback_cancel"},
		{ompt_callback_dispatch, (ompt_callback_t)on_dispatch, "ompt_callback_dispatch"},
		{ompt_callback_dependences, (ompt_callback_t)on_dependences, "ompt_callback_dependences"},
		{ompt_callback_task_dependence, (ompt_callback_t)on_task_dependence, "ompt_callback_task_dependence"},
		{ompt_callback_error, (ompt_callback_t)on_error, "ompt_callback_error"},
		{ompt_callback_control_tool, (ompt_callback_t)on_control_tool, NULL},
	};
	return heddle__ompt_register(set_callback, callbacks, sizeof(callbacks) / sizeof(callbacks[0]));
}
