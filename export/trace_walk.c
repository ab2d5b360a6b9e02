/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes steps on, and converts numbers in them. */
#include "export/trace_walk.h"

const struct export_attributes export_no_attributes;

/* ---- nodes and numbers ---- */

const struct profile_trace_file *export_walk_file(const struct export_walk *walk, size_t thread)
{
	const struct profile_trace *trace = walk->request->trace;
	return &trace->files[trace->threads[thread].file];
}

uint32_t export_walk_node(const struct export_walk *walk, size_t thread, uint32_t node, const uint32_t *of_node)
{
	const struct profile_trace_file *file = export_walk_file(walk, thread);
	if (node >= file->node_count || file->map[node] == HEDDLE_NO_NODE)
		return EXPORT_NO_NODE;
	return of_node[file->map[node]];
}

uint64_t export_walk_ns(const struct export_walk *walk, size_t thread, uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * export_walk_file(walk, thread)->info.ns_per_tick >> 32);
}

/* ---- steps ---- */

void export_walk_give(struct export_walk *walk, size_t thread, struct export_step step)
{
	step.thread = thread;
	step.time_ns = walk->threads[thread].now_ns;
	if (!step.attributes)
		step.attributes = &export_no_attributes;
	if (!walk->status)
		walk->status = walk->each(walk->context, &step);
}

/* Passes on a step for the record that is held back. */
void export_walk_give_held(struct export_walk *walk, size_t thread, struct export_step step)
{
	walk->held.given = true;
	step.event = &walk->held.event;
	step.attributes = &walk->held.attributes;
	export_walk_give(walk, thread, step);
}

void export_walk_give_switch(struct export_walk *walk, size_t thread, enum export_step_kind kind)
{
	export_walk_give(walk, thread, (struct export_step){.kind = kind, .node = EXPORT_NO_NODE});
}

/* Nothing was recorded from `since_ns` to the thread's time. */
void export_walk_give_gap(struct export_walk *walk, size_t thread, uint64_t since_ns)
{
	uint64_t now_ns = walk->threads[thread].now_ns;
	walk->threads[thread].now_ns = since_ns;
	export_walk_give_switch(walk, thread, EXPORT_OFF);
	walk->threads[thread].now_ns = now_ns;
	export_walk_give_switch(walk, thread, EXPORT_ON);
}
