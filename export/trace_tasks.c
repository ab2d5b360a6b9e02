/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table with linear probing, from which entries are removed by moving those behind them up. */
#include "export/trace_tasks.h"

#include <errno.h>
#include <stdlib.h>

int export_tasks_start(struct export_tasks *tasks, size_t thread_count)
{
	*tasks = (struct export_tasks){.nth = calloc(thread_count + 1, sizeof(*tasks->nth))};
	return tasks->nth ? 0 : -ENOMEM;
}

void export_tasks_free(struct export_tasks *tasks)
{
	free(tasks->slots);
	free(tasks->nth);
}

static size_t home(const struct export_tasks *tasks, uint32_t process, uint64_t key)
{
	return profile_hash_pair(key, process) >> 20 & (tasks->capacity - 1);
}

/* The slot of that task, or the free one where it belongs. */
static size_t position(const struct export_tasks *tasks, uint32_t process, uint64_t key)
{
	size_t at = home(tasks, process, key);
	while (tasks->slots[at].used && (tasks->slots[at].key != key || tasks->slots[at].process != process))
		at = (at + 1) & (tasks->capacity - 1);
	return at;
}

static int grow(struct export_tasks *tasks)
{
	struct export_tasks bigger = *tasks;
	if (tasks->capacity && tasks->count * 2 < tasks->capacity)
		return 0;
	bigger.capacity = tasks->capacity ? tasks->capacity * 2 : 64;
	bigger.slots = calloc(bigger.capacity, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	for (size_t i = 0; i < tasks->capacity; i++)
		if (tasks->slots[i].used)
			bigger.slots[position(&bigger, tasks->slots[i].process, tasks->slots[i].key)] = tasks->slots[i];
	free(tasks->slots);
	*tasks = bigger;
	return 0;
}

/* Its slot, new or old; NULL: no memory. */
static struct export_task_slot *take(struct export_tasks *tasks, uint32_t process, uint64_t key)
{
	if (grow(tasks) != 0)
		return NULL;
	struct export_task_slot *slot = &tasks->slots[position(tasks, process, key)];
	tasks->count += !slot->used;
	return slot;
}

struct export_task *export_task_create(struct export_tasks *tasks, uint32_t process, uint64_t key, size_t creator)
{
	struct export_task_slot *slot = take(tasks, process, key);
	if (!slot)
		return NULL;
	*slot = (struct export_task_slot){.key = key, .process = process, .used = true};
	slot->task = (struct export_task){
		.number = ++tasks->created, .creator = creator, .nth = ++tasks->nth[creator], .started = false};
	return &slot->task;
}

struct export_task *export_task_find(struct export_tasks *tasks, uint32_t process, uint64_t key)
{
	struct export_task_slot *slot = tasks->capacity ? &tasks->slots[position(tasks, process, key)] : NULL;
	return slot && slot->used ? &slot->task : NULL;
}

void export_task_remove(struct export_tasks *tasks, uint32_t process, uint64_t key)
{
	size_t mask = tasks->capacity - 1;
	size_t hole = tasks->capacity ? position(tasks, process, key) : 0;
	if (!tasks->capacity || !tasks->slots[hole].used)
		return;
	tasks->count--;
	for (size_t at = (hole + 1) & mask; tasks->slots[at].used; at = (at + 1) & mask) {
		size_t from_home = (at - home(tasks, tasks->slots[at].process, tasks->slots[at].key)) & mask;
		if (from_home >= ((at - hole) & mask)) {
			tasks->slots[hole] = tasks->slots[at];
			hole = at;
		}
	}
	tasks->slots[hole].used = false;
}
