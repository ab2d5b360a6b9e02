/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The explicit tasks that exist at one moment of a trace, by the numbers that runtimes give them. A runtime reuses the
 * number of a task that has ended.
 */
#ifndef HEDDLE_EXPORT_TRACE_TASKS_H
#define HEDDLE_EXPORT_TRACE_TASKS_H

#include "export/trace_steps.h"
#include "profile/trace/trace_table.h"

struct export_tasks {
	struct profile_trace_table table; /* of struct export_task, by the runtime's number and the process */
	uint64_t created;                 /* in total */
	uint32_t *nth;                    /* by thread: number of tasks it has created */
};

int export_tasks_start(struct export_tasks *tasks, size_t thread_count);
void export_tasks_free(struct export_tasks *tasks);

/* Adds a task, replacing one with the same number that did not end. Returns NULL if there is no memory. */
struct export_task *export_task_create(struct export_tasks *tasks, uint32_t process, uint64_t key, size_t creator);

/* Returns the task with that number; NULL: there is none. */
struct export_task *export_task_find(struct export_tasks *tasks, uint32_t process, uint64_t key);

/* Removes a task that has ended. */
void export_task_remove(struct export_tasks *tasks, uint32_t process, uint64_t key);

#endif
