/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The explicit tasks that exist at one moment of a trace, by the numbers that runtimes give them: a runtime reuses the
 * number of a task that has ended.
 */
#ifndef HEDDLE_EXPORT_TRACE_TASKS_H
#define HEDDLE_EXPORT_TRACE_TASKS_H

#include "export/trace_steps.h"
#include "profile/trace/trace_table.h"

struct export_tasks {
	struct profile_trace_table table; /* of struct export_task, by the runtime's number and the process */
	uint64_t created;                 /* in all */
	uint32_t *nth;                    /* by thread: how many it has created */
};

int export_tasks_start(struct export_tasks *tasks, size_t thread_count);
void export_tasks_free(struct export_tasks *tasks);

/* A task is created; of one with the same number that did not end nothing is kept. NULL: no memory. */
struct export_task *export_task_create(struct export_tasks *tasks, uint32_t process, uint64_t key, size_t creator);

/* The task of that number; NULL: none was created. */
struct export_task *export_task_find(struct export_tasks *tasks, uint32_t process, uint64_t key);

/* It has ended. */
void export_task_remove(struct export_tasks *tasks, uint32_t process, uint64_t key);

#endif
