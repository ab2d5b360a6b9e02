/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks by number, allocated while they exist. */
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
	struct export_task *task;
	while ((task = profile_trace_table_drain(&tasks->table)))
		free(task);
	free(tasks->nth);
}

struct export_task *export_task_create(struct export_tasks *tasks, uint32_t process, uint64_t key, size_t creator)
{
	struct export_task *task = profile_trace_table_find(&tasks->table, key, process);
	if (!task) {
		task = malloc(sizeof(*task));
		if (!task || profile_trace_table_add(&tasks->table, key, process, task) != 0) {
			free(task);
			return NULL;
		}
	}
	*task = (struct export_task){
		.number = ++tasks->created, .creator = creator, .nth = ++tasks->nth[creator], .started = false};
	return task;
}

struct export_task *export_task_find(struct export_tasks *tasks, uint32_t process, uint64_t key)
{
	return profile_trace_table_find(&tasks->table, key, process);
}

void export_task_remove(struct export_tasks *tasks, uint32_t process, uint64_t key)
{
	free(profile_trace_table_take(&tasks->table, key, process));
}
