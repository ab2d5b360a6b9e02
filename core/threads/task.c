/* SPDX-License-Identifier: BSD-3-Clause */
/* The slow path of tasks, and queries for the writer. */
#include "core/threads/task.h"

#include <stddef.h>

#include "core/base/peek.h"

void heddle__task_switch_slow(
	struct heddle_thread *thread, uint64_t name, uint32_t base, const void *owner, uint64_t when)
{
	uint32_t found = heddle__find_task_index(&thread->stack, name);
	if (!found) {
		heddle__task_begin_slow(thread, name, base, owner, when);
		return;
	}
	uint32_t depth = found;
	heddle__region_at(&thread->stack, found - 1)->task.boundary = 0;
	while (depth < thread->stack.depth && heddle__region_at(&thread->stack, depth)->kind != HEDDLE_KIND_TASK)
		depth++; /* the task's own regions stay open */
	heddle__pop_to(thread, depth, when);
}

void heddle__task_begin_slow(
	struct heddle_thread *thread, uint64_t name, uint32_t base, const void *owner, uint64_t when)
{
	struct heddle_region *task = heddle__next_entry(thread);
	heddle__fill_task(thread, task, name, base, heddle__task_slot(thread, base), owner);
	if (heddle__push(thread, task, when))
		thread->stack.task = thread->stack.depth;
}

uint64_t heddle__tasks_ended(const struct heddle_thread *thread)
{
	const struct heddle_region *task = heddle__current_task(&thread->stack);
	const struct heddle_group *group = task ? task->owner : NULL;
	return group ? atomic_load_explicit(&group->ended, memory_order_relaxed) : 0;
}

/* The owner may have replaced the task's entry meanwhile by that of a region, whose `place` is not an address. */
uint64_t heddle__tasks_seen_ended(const struct heddle_thread *thread)
{
	const struct heddle_region *task = heddle__seen_task(&thread->stack);
	uint64_t ended, group = 0;
	if (task && task->kind == HEDDLE_KIND_TASK)
		group = (uintptr_t)__atomic_load_n(&task->owner, __ATOMIC_RELAXED);
	bool seen = group && heddle__peek(group + offsetof(struct heddle_group, ended), &ended, sizeof(ended));
	return seen ? ended : 0;
}

void heddle__task_end_slow(struct heddle_thread *thread, uint64_t name, uint64_t when)
{
	uint32_t found = heddle__find_task_index(&thread->stack, name);
	if (found)
		heddle__pop_to(thread, found - 1, when);
}
