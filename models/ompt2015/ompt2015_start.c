/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The current task, and the tasks of LLVM's runtimes (version 1), which report task_begin when a task starts, on the
 * thread that executes it.
 */
#include <stddef.h>

#include "core/process/thread_life.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/tree/tree.h"
#include "models/ompt/ompt_events.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_place.h"
#include "models/ompt/ompt_team.h"
#include "models/ompt2015/ompt2015_events.h"

static bool ask_runtime(int level, struct heddle_ompt2015_task *task)
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

/*
 * In a region of one thread, LLVM's runtimes report the region's implicit task (this number) as the current task,
 * although an explicit task is. Such explicit tasks run at once.
 */
static _Thread_local ompt2015_id_t named_instead;

/* Replaces that implicit task by the explicit one, which has no frame of the runtime. */
static void correct(struct heddle_ompt2015_task *task)
{
	static const ompt2015_frame_t no_frame;
	const struct heddle_thread *thread = heddle__thread_self();
	const struct heddle_region *current = thread ? heddle__current_task(&thread->stack) : NULL;
	if (!current || current->owner)
		return;
	task->id = atomic_load(&((const struct heddle_ompt_named *)(uintptr_t)current->task.name)->id);
	task->type = ompt2015_task_explicit;
	task->frame = &no_frame;
}

bool heddle__ompt2015_task(int level, struct heddle_ompt2015_task *task)
{
	bool found = ask_runtime(level, task);
	if (found && level == 0 && task->id && task->id == named_instead)
		correct(task);
	return found;
}

/*
 * Records the context of a task that may end before the tasks that it created begin. The runtime keeps a task's frame
 * structure until its children have ended, too. The structure's address leads to the context of the task that last
 * started there, so memory grows with the number of tasks alive at once. The task's number, in the upper half, shows
 * whether it is still that task.
 */
static void remember_context(const ompt2015_frame_t *frame, ompt2015_id_t id, uint32_t context)
{
	struct heddle_ompt_named *named = heddle__ompt_name_take(HEDDLE_OMPT_TASK_FRAMES, (uintptr_t)frame);
	if (named)
		named->data.value = id << 32 | context;
}

static bool recall_context(const ompt2015_frame_t *frame, ompt2015_id_t id, uint32_t *context)
{
	const struct heddle_ompt_named *named = heddle__ompt_name_find(HEDDLE_OMPT_TASK_FRAMES, (uintptr_t)frame);
	if (!named || named->data.value >> 32 != (uint32_t)id)
		return false;
	*context = (uint32_t)named->data.value;
	return true;
}

/* Returns the code that creates the task, if the task runs at once. */
static struct heddle_captured creating_code(struct heddle_thread *thread, const struct heddle_ompt2015_start *start)
{
	ompt_frame_t frame = heddle__ompt2015_frame(start->parent_frame);
	return heddle__ompt_caller_code(thread, &frame, start->own);
}

/*
 * Returns the parent node of a new task: its parent's own node, its region's, or that of the region which the thread is
 * in. Outside of all regions, each task runs at once.
 */
static uint32_t context_of(struct heddle_thread *thread, const struct heddle_ompt2015_start *start)
{
	const struct heddle_ompt2015_runtime *runtime = &heddle__ompt2015;
	const ompt_data_t *parent = heddle__ompt2015_word(HEDDLE_OMPT_TASK_IDS, start->parent);
	uint32_t context = 0;
	if (parent->value & 1)
		return (uint32_t)(parent->value >> 1);
	if (!parent->ptr && recall_context(start->parent_frame, start->parent, &context))
		return context;
	const struct heddle_ompt_team *team = parent->ptr;
	if (!team && runtime->get_parallel_id)
		team = heddle__ompt2015_word(HEDDLE_OMPT_PARALLEL_IDS, runtime->get_parallel_id(0))->ptr;
	if (team)
		return team->context;
	return heddle__is_worker_of(thread, heddle__ompt_model) ? thread->base : creating_code(thread, start).node;
}

/*
 * Returns the node of a task, whose construct is identified by its outlined function. A task whose function is in the
 * runtime (it creates the tasks of a taskloop) is not the program's: its children become children of its parent.
 */
static uint32_t started_node(struct heddle_thread *thread, uint32_t context, const void *outlined)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[HEDDLE_OMPT_TASK].id);
	if (heddle__ompt_is_runtime((uintptr_t)outlined))
		return context;
	uint64_t place = outlined ? heddle__call_place(thread, (const char *)outlined + 1) : 0;
	uint32_t outer = heddle__ompt_recursion(context, meta, place);
	struct heddle_slot *slot =
		outer ? heddle__node_slot(thread, outer) : heddle__event_slot(thread, context, meta, place);
	if (!thread->off)
		heddle__visit(thread, slot);
	return slot->node;
}

/* Returns the frame of the task that starts; NULL: the runtime reports another task as current. */
static const ompt2015_frame_t *frame_of_start(ompt2015_id_t task)
{
	struct heddle_ompt2015_task current;
	bool known = ask_runtime(0, &current);
	if (known && current.id == task)
		return current.frame;
	named_instead = known ? current.id : 0;
	return NULL;
}

/*
 * Returns the node of a task that starts. A further part of an untied task is reported as another start of the same
 * task.
 */
static uint32_t node_of_start(struct heddle_thread *thread, const struct heddle_ompt2015_start *start,
	const ompt2015_frame_t *frame, ompt2015_id_t id)
{
	uint32_t node = 0;
	if (recall_context(frame, id, &node))
		return node;
	node = started_node(thread, context_of(thread, start), start->outlined);
	remember_context(frame, id, node);
	return node;
}

/*
 * Returns the depth of the creator's stack, if the creator may be about to call the task's function itself: if it is
 * the current task, and does not wait in the runtime. Such a task has no frame of the runtime. 0: unknown.
 */
static uint32_t depth_of_undeferred(struct heddle_thread *thread, const struct heddle_ompt2015_start *start)
{
	const struct heddle_region *current = heddle__current_task(&thread->stack);
	bool by_creator =
		!current || current->task.name == (uintptr_t)heddle__ompt2015_word(HEDDLE_OMPT_TASK_IDS, start->parent);
	if (!by_creator || !start->parent_frame || start->parent_frame->reenter_runtime_frame)
		return 0;
	return heddle__task_depth(thread, creating_code(thread, start).sp);
}

/*
 * The task of this thread whose start was reported last. If the next switch is to that task, it reports the same start.
 */
static _Thread_local ompt2015_id_t started;

void heddle__ompt2015_start(const struct heddle_ompt2015_start *start)
{
	ompt2015_id_t id = atomic_load(&start->task->id);
	const ompt2015_frame_t *frame = frame_of_start(id);
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	ompt_data_t *word = &start->task->data;
	if (!thread)
		return;
	heddle__enter(thread);
	started = id;
	word->value = (uint64_t)node_of_start(thread, start, frame, id) << 1 | 1;
	uint32_t depth = depth_of_undeferred(thread, start);
	heddle__leave(thread);
	HEDDLE_OMPT2015_NOTIFY(ompt_callback_task_schedule, heddle_ompt2015_schedule_t, NULL, ompt_task_switch, word);
	if (depth)
		heddle__task_called_at(thread, (uintptr_t)word, depth);
}

bool heddle__ompt2015_is_start(ompt2015_id_t resumed)
{
	bool is_start = resumed && resumed == started;
	started = 0;
	return is_start;
}
