/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread's open regions: chooses those that are shown, and makes steps for begins and ends. */
#include "export/trace_walk.h"

#include "profile/base/intern.h"

/* Returns the node that an entry is shown as; none for the program itself, and for a node that is shown around it. */
static uint32_t shown_node(const struct export_walk *walk, size_t number, uint32_t node, bool visit)
{
	const struct export_walk_thread *thread = &walk->threads[number];
	uint32_t shown = export_walk_node(walk, number, node, walk->request->view->of_node);
	if (shown == 0 || shown == EXPORT_NO_NODE)
		return EXPORT_NO_NODE;
	for (size_t i = thread->depth; !visit && i > 0; i--)
		if (thread->entries[i - 1].node != EXPORT_NO_NODE)
			return thread->entries[i - 1].node == shown ? EXPORT_NO_NODE : shown;
	return shown;
}

void export_walk_leave(struct export_walk *walk, size_t number)
{
	struct export_walk_thread *thread = &walk->threads[number];
	struct export_entry entry = thread->entries[--thread->depth];
	if (entry.team)
		export_walk_give(walk, number, (struct export_step){.kind = EXPORT_TEAM_END, .node = entry.node});
	if (entry.node != EXPORT_NO_NODE)
		export_walk_give_held(walk, number, (struct export_step){.kind = EXPORT_LEAVE, .node = entry.node});
	if (entry.team)
		export_walk_join(walk, number, entry.parallel);
}

void export_walk_leave_idle(struct export_walk *walk, size_t number)
{
	struct export_walk_thread *thread = &walk->threads[number];
	if (thread->idle != EXPORT_NO_NODE)
		export_walk_give(walk, number, (struct export_step){.kind = EXPORT_LEAVE, .node = thread->idle});
	thread->idle = EXPORT_NO_NODE;
}

/* The record's attributes belong to the last entry that it pushes. */
static void enter_one(struct export_walk *walk, size_t number, struct profile_trace_entry raw, bool visit, bool last)
{
	struct export_walk_thread *thread = &walk->threads[number];
	const struct export_attributes *attributes = last ? &walk->held.attributes : &export_no_attributes;
	walk->held.given |= last;
	int error = profile_reserve(&thread->entries, &thread->room, thread->depth + 1, sizeof(*thread->entries));
	if (error) {
		walk->status = error;
		return;
	}
	struct export_entry entry = {.raw = raw, .node = shown_node(walk, number, raw.node, visit)};
	thread->entries[thread->depth++] = entry;
	struct export_step step = {.kind = EXPORT_ENTER, .node = entry.node, .visit = visit, .attributes = attributes};
	step.event = &walk->held.event;
	if (entry.node != EXPORT_NO_NODE)
		export_walk_give(walk, number, step);
}

/* While no region is open, a thread may be charged idle time. */
void export_walk_update_idle(struct export_walk *walk, size_t number)
{
	const struct export_held *held = &walk->held;
	struct export_walk_thread *thread = &walk->threads[number];
	uint32_t idle = EXPORT_NO_NODE;
	if (held->depth == 0 && held->idle.timed)
		idle = export_walk_node(walk, number, held->idle.node, walk->request->view->of_node);
	idle = idle == 0 ? EXPORT_NO_NODE : idle;
	if (idle == thread->idle)
		return;
	export_walk_leave_idle(walk, number);
	thread->idle = idle;
	if (idle != EXPORT_NO_NODE)
		export_walk_give(walk, number, (struct export_step){.kind = EXPORT_ENTER, .node = idle});
}

/* A switch to a task comes before the begin of the task's entry. */
void export_walk_change_stack(struct export_walk *walk, size_t number, size_t kept)
{
	const struct export_held *held = &walk->held;
	const struct export_walk_thread *thread = &walk->threads[number];
	bool visit = held->event.kind == HEDDLE_TRACE_BEGIN || held->event.kind == HEDDLE_TRACE_BEGIN_UNTIMED;
	if (held->depth > 0)
		export_walk_leave_idle(walk, number);
	while (!walk->status && thread->depth > kept)
		export_walk_leave(walk, number);
	export_walk_take_tasks(walk, number);
	for (size_t i = kept; !walk->status && i < held->depth; i++)
		enter_one(walk, number, held->stack[i], visit, i + 1 == held->depth);
	export_walk_update_idle(walk, number);
}
