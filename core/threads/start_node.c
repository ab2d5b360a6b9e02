/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers. */
#include "core/threads/start_node.h"

#include <string.h>

#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "core/threads/region.h"
#include "core/tree/tree.h"

/* A worker's start routine is not informative; the parallel region that it last took part in is. */
static uint32_t worker_node(const struct heddle_thread *thread)
{
	const struct heddle_region *task = heddle__current_task(&thread->stack);
	if (task)
		return task->node;
	if (thread->last_task_node)
		return thread->last_task_node;
	return heddle__tree_child(HEDDLE_TREE_ROOT, HEDDLE_NODE_META(HEDDLE_NODE_STATE, HEDDLE_STATE_IDLE),
		thread->role - HEDDLE_THREAD_WORKER);
}

/* True for modules whose start routines run other modules' code: a runtime's workers, and libstdc++'s std::thread. */
static bool starts_for_others(const struct heddle_module *module)
{
	const char *slash = strrchr(module->path, '/');
	return heddle__is_runtime(module->role) ||
	       (slash && strncmp(slash + 1, "libstdc++.so", sizeof("libstdc++.so") - 1) == 0);
}

uint32_t heddle__thread_start_node(const struct heddle_thread *thread)
{
	uintptr_t routine = thread->start.routine;
	struct heddle_module_range range;
	uint32_t kind = HEDDLE_NODE_FRAME;
	if (!routine || routine == UINTPTR_MAX)
		return thread->base;
	if (heddle__module_lookup(routine, false, &range) && starts_for_others(range.module)) {
		if (heddle__is_worker_of(thread, 0))
			return worker_node(thread);
		kind = HEDDLE_NODE_RUNTIME_FRAME;
	}
	return heddle__tree_child(thread->base, HEDDLE_NODE_META(kind, 0), heddle__place_of(routine));
}
