/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel regions and tasks, as attributes of records report them. */
#include "export/trace_walk.h"

#include "profile/base/intern.h"

#include <errno.h>

static void fork_team(struct export_walk *walk, size_t number, uint64_t parallel)
{
	struct export_walk_thread *thread = &walk->threads[number];
	int error = profile_reserve(&thread->forks, &thread->fork_room, thread->fork_count + 1, sizeof(parallel));
	if (error) {
		walk->status = error;
		return;
	}
	thread->forks[thread->fork_count++] = parallel;
	export_walk_give_held(walk, number, (struct export_step){.kind = EXPORT_FORK});
}

/* Ends the parallel region with that number, and all regions that were opened in it. */
void export_walk_join(struct export_walk *walk, size_t number, uint64_t parallel)
{
	struct export_walk_thread *thread = &walk->threads[number];
	size_t at = thread->fork_count;
	while (at > 0 && thread->forks[at - 1] != parallel)
		at--;
	if (at == 0)
		return;
	while (thread->fork_count >= at) {
		export_walk_give(walk, number, (struct export_step){.kind = EXPORT_JOIN});
		thread->fork_count--;
	}
}

static void begin_team(struct export_walk *walk, size_t number, uint64_t parallel)
{
	struct export_walk_thread *thread = &walk->threads[number];
	struct export_entry *entry = thread->depth ? &thread->entries[thread->depth - 1] : NULL;
	if (!entry || entry->team)
		return;
	entry->team = true;
	entry->parallel = parallel;
	export_walk_give_held(walk, number, (struct export_step){.kind = EXPORT_TEAM_BEGIN, .node = entry->node});
}

/* True if the innermost entry is an implicit task without a number so far: its context is a parallel region. */
static bool is_new_part(const struct export_walk *walk, size_t number)
{
	const struct profile_call_tree *tree = &walk->request->measurement->tree;
	const struct profile_trace_file *file = export_walk_file(walk, number);
	const struct export_walk_thread *thread = &walk->threads[number];
	const struct export_entry *entry = thread->depth ? &thread->entries[thread->depth - 1] : NULL;
	if (!entry || entry->team || entry->raw.node >= file->node_count ||
		file->map[entry->raw.node] == HEDDLE_NO_NODE)
		return false;
	const struct profile_node *node = &tree->nodes[file->map[entry->raw.node]];
	return node->kind == HEDDLE_NODE_REGION && tree->events[node->event].category == HEDDLE_CATEGORY_PARALLEL;
}

/* A region's creator and threads report its number; threads also report the team's size, perhaps a record later. */
void export_walk_take_parallel(struct export_walk *walk, size_t number)
{
	const struct export_attributes *attributes = &walk->held.attributes;
	if (!export_has(attributes, HEDDLE_TRACE_PARALLEL))
		return;
	if (export_has(attributes, HEDDLE_TRACE_TEAM_SIZE) || is_new_part(walk, number))
		begin_team(walk, number, attributes->value[HEDDLE_TRACE_PARALLEL]);
	else
		fork_team(walk, number, attributes->value[HEDDLE_TRACE_PARALLEL]);
}

static void create_task(struct export_walk *walk, size_t number, uint64_t key)
{
	uint32_t process = walk->request->trace->threads[number].file;
	struct export_task *task = export_task_create(&walk->tasks, process, key, number);
	if (task)
		export_walk_give_held(walk, number, (struct export_step){.kind = EXPORT_TASK_CREATE, .task = *task});
	else
		walk->status = walk->status ? walk->status : -ENOMEM;
}

static void end_task(struct export_walk *walk, size_t number, uint64_t key)
{
	uint32_t process = walk->request->trace->threads[number].file;
	const struct export_task *task = export_task_find(&walk->tasks, process, key);
	if (task)
		export_walk_give_held(walk, number, (struct export_step){.kind = EXPORT_TASK_END, .task = *task});
	export_task_remove(&walk->tasks, process, key);
	walk->threads[number].task = 0;
}

/* A task that was never created is implicit. */
static void switch_task(struct export_walk *walk, size_t number, uint64_t key)
{
	uint32_t process = walk->request->trace->threads[number].file;
	struct export_task *task = export_task_find(&walk->tasks, process, key);
	struct export_step step = {.kind = EXPORT_TASK_SWITCH, .task = {.creator = number}};
	if (walk->threads[number].task == key)
		return;
	walk->threads[number].task = key;
	if (task) {
		step.task = *task;
		task->started = true;
	}
	export_walk_give_held(walk, number, step);
}

#define TASK_ATTRIBUTES (1u << HEDDLE_TRACE_TASK_CREATE | 1u << HEDDLE_TRACE_TASK | 1u << HEDDLE_TRACE_TASK_END)

/* Clears the tasks' attributes, so each is taken once per record. */
void export_walk_take_tasks(struct export_walk *walk, size_t number)
{
	const struct export_attributes *attributes = &walk->held.attributes;
	if (export_has(attributes, HEDDLE_TRACE_TASK_CREATE))
		create_task(walk, number, attributes->value[HEDDLE_TRACE_TASK_CREATE]);
	if (export_has(attributes, HEDDLE_TRACE_TASK_END))
		end_task(walk, number, attributes->value[HEDDLE_TRACE_TASK_END]);
	if (export_has(attributes, HEDDLE_TRACE_TASK))
		switch_task(walk, number, attributes->value[HEDDLE_TRACE_TASK]);
	walk->held.attributes.given &= ~TASK_ATTRIBUTES;
}
