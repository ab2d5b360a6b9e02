/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the roles of regions from the descriptions of their events. */
#include "profile/trace/trace_roles.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static enum profile_trace_role role_of(const struct profile_event_kind *event)
{
	switch (event->category) {
	case HEDDLE_CATEGORY_BARRIER:
		return event->role == HEDDLE_EVENT_NOTIFY    ? HEDDLE_ROLE_NOTIFY
		       : event->role == HEDDLE_EVENT_AWAIT   ? HEDDLE_ROLE_AWAIT
		       : event->role == HEDDLE_EVENT_MEMBERS ? HEDDLE_ROLE_COLLECTIVE
							     : HEDDLE_ROLE_BARRIER;
	case HEDDLE_CATEGORY_LOCK:
		return HEDDLE_ROLE_LOCK;
	case HEDDLE_CATEGORY_COMMUNICATION:
		return event->role == HEDDLE_EVENT_UNLOCK    ? HEDDLE_ROLE_UNLOCK
		       : event->role == HEDDLE_EVENT_ATTEMPT ? HEDDLE_ROLE_ATTEMPT
							     : HEDDLE_ROLE_ACCESS;
	case HEDDLE_CATEGORY_FENCE:
		return HEDDLE_ROLE_ACCESS;
	case HEDDLE_CATEGORY_COLLECTIVE:
		return HEDDLE_ROLE_COLLECTIVE;
	case HEDDLE_CATEGORY_PARALLEL:
		return HEDDLE_ROLE_PARALLEL;
	case HEDDLE_CATEGORY_TASK_SYNC:
		return HEDDLE_ROLE_TASKS;
	default:
		return HEDDLE_ROLE_NONE;
	}
}

bool profile_trace_is_rank(const struct profile_trace_thread *thread)
{
	return thread->row && profile_thread_is_rank(thread->row);
}

int profile_trace_roles_find(struct profile_trace_roles *roles, const struct profile_trace *trace)
{
	const struct profile_call_tree *tree = &trace->measurement->tree;
	const char *model = NULL;
	static const struct profile_trace_kind none = {HEDDLE_ROLE_NONE, false, 0};
	struct profile_trace_kind *of_event = calloc(tree->event_count + 1, sizeof(*of_event));
	*roles = (struct profile_trace_roles){calloc(tree->node_count + 1, sizeof(*roles->of_node)), 0};
	for (size_t t = 0; t < trace->thread_count; t++) {
		if (!profile_trace_is_rank(&trace->threads[t]))
			continue;
		model = trace->threads[t].row->rank_model;
		roles->ranks++;
	}
	for (size_t e = 0; of_event && e < tree->event_count; e++)
		of_event[e] = (struct profile_trace_kind){role_of(&tree->events[e]),
			model && strcmp(tree->events[e].model, model) == 0, (uint8_t)tree->events[e].role};
	for (size_t n = 0; of_event && roles->of_node && n < tree->node_count; n++) {
		const struct profile_node *found = profile_region_of(tree, &tree->nodes[n]);
		roles->of_node[n] = found->kind == HEDDLE_NODE_REGION ? of_event[found->event] : none;
	}
	free(of_event);
	return of_event && roles->of_node ? 0 : -ENOMEM;
}

void profile_trace_roles_free(struct profile_trace_roles *roles)
{
	free(roles->of_node);
	*roles = (struct profile_trace_roles){0};
}

struct profile_trace_kind profile_trace_kind_of(
	const struct profile_trace_roles *roles, const struct profile_trace_file *file, uint32_t node)
{
	static const struct profile_trace_kind none = {HEDDLE_ROLE_NONE, false, 0};
	if (node >= file->node_count || file->map[node] == HEDDLE_NO_NODE)
		return none;
	return roles->of_node[file->map[node]];
}
