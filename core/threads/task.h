/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks on a thread's shadow stack: which one executes, and which one continues when it ends. While a task is
 * innermost, elapsed time is charged to its context. Models call these functions; the slow path is in task.c.
 */
#ifndef HEDDLE_CORE_TASK_H
#define HEDDLE_CORE_TASK_H

#include "core/base/likely.h"
#include "core/threads/elapsed.h"
#include "core/threads/thread.h"
#include "core/tree/tree.h"

#define HEDDLE_TASK_DEPTHS ((uint32_t)1 << 30) /* limit of a task's depth */

/* The node of the current task's context; outside any task, the thread's base. Context: owner thread, signal. */
static inline uint32_t heddle__task_node(const struct heddle_thread *thread)
{
	const struct heddle_region *task = heddle__current_task(&thread->stack);
	return task ? task->node : thread->base;
}

/* The measured tick at which the current task's group ended; 0: not ended. Context: owner thread. */
uint64_t heddle__tasks_ended(const struct heddle_thread *thread);

/* Like heddle__tasks_ended(), for the writer. Context: any thread, signal, when frozen. */
uint64_t heddle__tasks_seen_ended(const struct heddle_thread *thread);

/* The slow paths of the functions below, also taken when there is no room or another task is current. */
void heddle__task_begin_slow(
	struct heddle_thread *thread, uint64_t name, uint32_t base, const void *owner, uint64_t when);
void heddle__task_switch_slow(
	struct heddle_thread *thread, uint64_t name, uint32_t base, const void *owner, uint64_t when);
void heddle__task_end_slow(struct heddle_thread *thread, uint64_t name, uint64_t when);

/* The slot charged with the time of a task of context `base` while it is innermost; NULL: samples account for it. */
static inline struct heddle_slot *heddle__task_slot(struct heddle_thread *thread, uint32_t base)
{
	return heddle__events_give_time ? heddle__node_slot(thread, base) : NULL;
}

/* Fills in the entry of a task that is pushed next. */
static inline void heddle__fill_task(struct heddle_thread *thread, struct heddle_region *task, uint64_t name,
	uint32_t base, struct heddle_slot *slot, const void *owner)
{
	heddle__region_set(
		task, HEDDLE_KIND_TASK, HEDDLE_NODE_META(HEDDLE_NODE_NONE, 0), HEDDLE_STATE_WORK, (uintptr_t)owner, 0);
	task->node = base;
	task->slot = slot;
	task->task.name = name;
	task->task.boundary = 0;
	task->task.below = thread->stack.task;
	task->task.depth = 0;
}

/* Converts the stack address `sp` to a task's depth; 0: not on the thread's stack. Context: owner thread. */
static inline uint32_t heddle__task_depth(const struct heddle_thread *thread, uintptr_t sp)
{
	uintptr_t words = (thread->stack_high - sp) / sizeof(uintptr_t);
	return sp >= thread->stack_low && sp < thread->stack_high && words < HEDDLE_TASK_DEPTHS ? (uint32_t)words : 0;
}

/* Records that the current task, if it has that name, was called by code whose stack pointer is at `depth`. */
static inline void heddle__task_called_at(struct heddle_thread *thread, uint64_t name, uint32_t depth)
{
	struct heddle_region *task = heddle__current_task(&thread->stack);
	if (task && task->task.name == name)
		task->task.depth = depth;
}

/* The stack pointer of the code that called the task; 0: unknown. Context: owner thread, signal. */
static inline uintptr_t heddle__task_caller_sp(const struct heddle_thread *thread, const struct heddle_region *task)
{
	return task->task.depth ? thread->stack_high - task->task.depth * sizeof(uintptr_t) : 0;
}

/*
 * A task of that name (not 0) began at the measured tick `when` (0: now): pushes it, even if another of that name is on
 * the stack. Its context is node `base`. `owner` is the model's data, stored in the entry: NULL, or it begins with a
 * struct heddle_group. Context of all: owner thread, inside.
 */
static inline void heddle__task_begin(
	struct heddle_thread *thread, uint64_t name, uint32_t base, const void *owner, uint64_t when)
{
	if (!HEDDLE_LIKELY(heddle__takes_fast_path(thread) && heddle__stack_has_room(&thread->stack))) {
		heddle__task_begin_slow(thread, name, base, owner, when);
		return;
	}
	struct heddle_region *task = heddle__stack_next(&thread->stack);
	heddle__fill_task(thread, task, name, base, heddle__task_slot(thread, base), owner);
	heddle__hand_over_at(thread, heddle__innermost_slot(thread), task->slot, when);
	heddle__stack_push_task(&thread->stack);
	heddle__record_task(thread, task);
}

/*
 * Like heddle__task_begin(), now, with the task's slot and the slot `begins` of a child of `base`, in which its begin
 * is counted. False: nothing was done; heddle__task_begin must be called.
 */
static inline bool heddle__task_begin_known(struct heddle_thread *thread, uint64_t name, uint32_t base,
	struct heddle_slot *slot, struct heddle_slot *begins)
{
	if (!HEDDLE_LIKELY(heddle__takes_fast_path(thread) && heddle__stack_has_room(&thread->stack)))
		return false;
	struct heddle_region *task = heddle__stack_next(&thread->stack);
	heddle__fill_task(thread, task, name, base, slot, NULL);
	heddle__hand_over(thread, heddle__innermost_slot(thread), slot);
	heddle__stack_push_task(&thread->stack);
	begins->value[HEDDLE_METRIC_VISITS] += heddle__count_event(thread);
	if (heddle__is_traced(thread))
		heddle__trace_task_begin(thread, task, begins->node);
	return true;
}

/*
 * The thread switches to the task of that name. If that is on the stack, all above it is popped, except its own open
 * regions; otherwise it begins.
 */
static inline void heddle__task_switch(
	struct heddle_thread *thread, uint64_t name, uint32_t base, const void *owner, uint64_t when)
{
	struct heddle_region *found = heddle__find_task(&thread->stack, name);
	bool fast = heddle__takes_fast_path(thread) && !thread->stack.lost_depth;
	if (HEDDLE_LIKELY(fast && found && found == heddle__current_task(&thread->stack)))
		found->task.boundary = 0;
	else if (HEDDLE_LIKELY(fast && !found))
		heddle__task_begin(thread, name, base, owner, when);
	else
		heddle__task_switch_slow(thread, name, base, owner, when);
}

/*
 * Pops the task of that name and all above it. From the measured tick `when` on (0: now), elapsed time is charged to
 * the new innermost entry.
 */
static inline void heddle__task_end(struct heddle_thread *thread, uint64_t name, uint64_t when)
{
	struct heddle_shadow_stack *stack = &thread->stack;
	const struct heddle_region *task = heddle__current_task(stack);
	if (!HEDDLE_LIKELY(task && task->task.name == name && heddle__takes_fast_path(thread) && !stack->lost_depth)) {
		heddle__task_end_slow(thread, name, when);
		return;
	}
	heddle__hand_over_at(
		thread, heddle__innermost(stack)->slot, heddle__slot_at_depth(thread, stack->task - 1), when);
	heddle__stack_pop_task(stack);
	heddle__record_pop_one(thread);
}

/*
 * The task `name` has ended, and the task that it began in continues, which must be `to`. False: nothing was done; the
 * functions above must be called.
 */
static inline bool heddle__task_return(struct heddle_thread *thread, uint64_t name, uint64_t to)
{
	struct heddle_shadow_stack *stack = &thread->stack;
	const struct heddle_region *task = heddle__current_task(stack);
	if (!HEDDLE_LIKELY(task && task->task.name == name && heddle__takes_fast_path(thread) && !stack->lost_depth))
		return false;
	if (!HEDDLE_LIKELY(task->task.below && heddle__region_at(stack, task->task.below - 1)->task.name == to))
		return false;
	heddle__hand_over(thread, heddle__innermost(stack)->slot, heddle__slot_at_depth(thread, stack->task - 1));
	heddle__stack_pop_task(stack);
	if (heddle__is_traced(thread))
		heddle__trace_task_return(thread, name, to);
	heddle__current_task(stack)->task.boundary = 0;
	return true;
}

/*
 * Pops the current task, which is innermost and has ended, if no time has elapsed since the last event. Context: owner
 * thread, inside, without HEDDLE_SPECIAL_VALUES.
 */
static inline void heddle__task_drop(struct heddle_thread *thread)
{
	heddle__stack_pop_task(&thread->stack);
	heddle__record_pop_one(thread);
}

/*
 * The current task and its open regions ended at the measured tick `ended` (not 0), and another task begins now in the
 * same entry. False: nothing was done; end the one and begin the other.
 */
static inline bool heddle__task_replace(
	struct heddle_thread *thread, uint64_t name, uint32_t base, const void *owner, uint64_t ended)
{
	struct heddle_shadow_stack *stack = &thread->stack;
	struct heddle_region *task = heddle__current_task(stack);
	if (!HEDDLE_LIKELY(heddle__takes_fast_path(thread) && task && !stack->lost_depth))
		return false;
	struct heddle_slot *outside = heddle__slot_at_depth(thread, stack->task - 1);
	heddle__hand_over_at(thread, heddle__innermost(stack)->slot, outside, ended);
	if (heddle__is_traced(thread))
		heddle__trace_pop(thread, stack->task - 1);
	if (task->node != base) {
		task->node = base;
		task->slot = heddle__task_slot(thread, base);
	}
	heddle__hand_over(thread, outside, task->slot);
	task->owner = owner;
	task->task.name = name;
	task->task.boundary = 0;
	heddle__stack_pop_to_task(stack);
	heddle__record_task(thread, task);
	return true;
}

#endif
