/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes steps of records. A record is held back until the next one that is not its attribute, because attributes may
 * change its meaning. All regions end before a gap and are resumed after it, as nothing is known of the time between.
 */
#include "export/trace_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- records ---- */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Returns how many entries a whole stack has in common with the previous stack. */
static size_t same_entries(const struct export_walk_thread *thread, const struct export_held *held)
{
	size_t same = 0, most = least(thread->depth, held->depth);
	while (same < most && thread->entries[same].raw.node == held->stack[same].node &&
		thread->entries[same].raw.timed == held->stack[same].timed)
		same++;
	return same;
}

/* Ends all regions before a gap, which ends at `now_ns`. */
static void bridge_gap(struct export_walk *walk, size_t number, uint64_t now_ns)
{
	struct export_walk_thread *thread = &walk->threads[number];
	uint64_t since_ns = thread->now_ns;
	export_walk_leave_idle(walk, number);
	while (!walk->status && thread->depth > 0)
		export_walk_leave(walk, number);
	thread->now_ns = now_ns;
	export_walk_give_gap(walk, number, since_ns);
}

static void stall(struct export_walk *walk, size_t number, uint64_t now_ns)
{
	struct export_walk_thread *thread = &walk->threads[number];
	uint64_t waited_ns = export_walk_ns(walk, number, walk->held.waited);
	uint64_t since_ns = waited_ns < now_ns - thread->now_ns ? now_ns - waited_ns : thread->now_ns;
	thread->now_ns = now_ns;
	export_walk_give(walk, number,
		(struct export_step){.kind = EXPORT_STALLED, .node = EXPORT_NO_NODE, .since_ns = since_ns});
}

static void take_stack(struct export_walk *walk, size_t number, uint64_t now_ns)
{
	const struct export_held *held = &walk->held;
	struct export_walk_thread *thread = &walk->threads[number];
	bool gap = thread->begun && (held->dropped || held->chunk->order > thread->order + 1);
	if (gap)
		bridge_gap(walk, number, now_ns);
	else if (held->waited)
		stall(walk, number, now_ns);
	thread->now_ns = now_ns;
	size_t kept = held->event.operand ? held->event.operand : same_entries(thread, held);
	if (export_has(&held->attributes, HEDDLE_TRACE_TASK))
		kept = held->event.operand;
	export_walk_change_stack(walk, number, least(kept, least(thread->depth, held->depth)));
}

static void take_visit(struct export_walk *walk, size_t number)
{
	uint32_t node = export_walk_node(walk, number, walk->held.event.node, walk->request->view->of_node);
	if (node != EXPORT_NO_NODE)
		export_walk_give_held(
			walk, number, (struct export_step){.kind = EXPORT_MOMENT, .node = node, .visit = true});
}

/* Blame that moves from one node to another of the same thread does not change the thread's sum. */
static uint64_t without_moved(struct export_walk *walk, size_t number, uint32_t metric, uint64_t ticks)
{
	uint64_t *moved = &walk->threads[number].moved[metric == HEDDLE_METRIC_BLAME];
	if ((int64_t)ticks < 0) {
		*moved += export_walk_ns(walk, number, -ticks);
		return 0;
	}
	uint64_t amount = export_walk_ns(walk, number, ticks), charged = amount < *moved ? amount : *moved;
	*moved -= charged;
	return amount - charged;
}

static void take_add(struct export_walk *walk, size_t number)
{
	const struct profile_trace_event *event = &walk->held.event;
	uint64_t amount = event->value;
	if (event->operand == HEDDLE_METRIC_LOCK_BLAME || event->operand == HEDDLE_METRIC_BLAME)
		amount = without_moved(walk, number, event->operand, amount);
	else if (heddle__metric_kind(event->operand) == HEDDLE_METRIC_KIND_TICKED)
		amount = export_walk_ns(walk, number, amount);
	export_walk_give_held(walk, number,
		(struct export_step){.kind = EXPORT_AMOUNT,
			.node = export_walk_node(walk, number, event->node, walk->request->view->of_node),
			.metric = event->operand,
			.amount = amount});
}

/* Passes on a record that has a node, but does not change the stack. */
static void take_value(struct export_walk *walk, size_t number, enum export_step_kind kind)
{
	const struct profile_view *view = walk->request->view;
	const uint32_t *nodes = kind == EXPORT_SAMPLE ? view->inside : view->of_node;
	uint32_t node = export_walk_node(walk, number, walk->held.event.node, nodes);
	export_walk_give_held(walk, number, (struct export_step){.kind = kind, .node = node});
}

static void take_mark(struct export_walk *walk, size_t number, uint64_t before_ns)
{
	struct export_walk_thread *thread = &walk->threads[number];
	switch (walk->held.event.operand) {
	case HEDDLE_TRACE_THREAD_BEGIN:
	case HEDDLE_TRACE_THREAD_END:
		export_walk_change_stack(walk, number, 0);
		break;
	case HEDDLE_TRACE_OFF:
		if (!thread->off)
			export_walk_give_switch(walk, number, EXPORT_OFF);
		thread->off = true;
		break;
	case HEDDLE_TRACE_ON:
		if (thread->off)
			export_walk_give_switch(walk, number, EXPORT_ON);
		thread->off = false;
		break;
	case HEDDLE_TRACE_PAUSED:
		if (!thread->paused && !thread->off)
			export_walk_give_switch(walk, number, EXPORT_OFF);
		thread->paused = true;
		break;
	case HEDDLE_TRACE_DROPPED:
		export_walk_give_gap(walk, number, before_ns);
		break;
	case HEDDLE_TRACE_WAITED:
		walk->held.waited = walk->held.event.value;
		thread->now_ns = before_ns;
		stall(walk, number, walk->held.event.time_ns > before_ns ? walk->held.event.time_ns : before_ns);
		break;
	default:
		break;
	}
}

static void take_record(struct export_walk *walk, size_t number, uint64_t before_ns)
{
	const struct export_walk_thread *thread = &walk->threads[number];
	switch (walk->held.event.kind) {
	case HEDDLE_TRACE_END:
		export_walk_change_stack(walk, number, walk->held.depth);
		break;
	case HEDDLE_TRACE_BEGIN:
	case HEDDLE_TRACE_BEGIN_UNTIMED:
	case HEDDLE_TRACE_OPEN:
		export_walk_change_stack(walk, number, least(thread->depth, walk->held.depth - !!walk->held.depth));
		break;
	case HEDDLE_TRACE_IDLE:
		export_walk_update_idle(walk, number);
		break;
	case HEDDLE_TRACE_VISIT:
		take_visit(walk, number);
		break;
	case HEDDLE_TRACE_SAMPLE:
		take_value(walk, number, EXPORT_SAMPLE);
		break;
	case HEDDLE_TRACE_ADD:
		take_add(walk, number);
		break;
	case HEDDLE_TRACE_DISTRIBUTE:
		take_value(walk, number, EXPORT_ARGUMENT);
		break;
	case HEDDLE_TRACE_ACCESS:
		take_value(walk, number, EXPORT_ACCESS);
		break;
	case HEDDLE_TRACE_MESSAGE:
		export_walk_give_held(
			walk, number, (struct export_step){.kind = EXPORT_MESSAGE, .node = EXPORT_NO_NODE});
		break;
	case HEDDLE_TRACE_MARK:
		take_mark(walk, number, before_ns);
		break;
	default:
		break;
	}
}

/* ---- holding back ---- */

/* Ends a pause at the first record after it. */
static void end_pause(struct export_walk *walk, size_t number, uint64_t now_ns)
{
	struct export_walk_thread *thread = &walk->threads[number];
	if (!thread->paused)
		return;
	thread->paused = false;
	thread->now_ns = now_ns;
	if (!thread->off)
		export_walk_give_switch(walk, number, EXPORT_ON);
}

static void release_held(struct export_walk *walk)
{
	struct export_held *held = &walk->held;
	if (!held->any)
		return;
	held->any = false;
	size_t number = (size_t)(held->stream->thread - walk->request->trace->threads);
	struct export_walk_thread *thread = &walk->threads[number];
	uint64_t before_ns = thread->begun ? thread->now_ns : held->event.time_ns;
	uint64_t now_ns = held->event.time_ns > before_ns ? held->event.time_ns : before_ns;
	if (!thread->begun)
		thread->now_ns = now_ns;
	end_pause(walk, number, now_ns);
	if (held->event.kind == HEDDLE_TRACE_STACK) {
		take_stack(walk, number, now_ns);
	} else {
		thread->now_ns = now_ns;
		take_record(walk, number, before_ns);
		export_walk_take_tasks(walk, number);
	}
	export_walk_take_parallel(walk, number);
	if (held->attributes.given && !held->given)
		export_walk_give_held(
			walk, number, (struct export_step){.kind = EXPORT_ATTRIBUTES, .node = EXPORT_NO_NODE});
	thread->begun = true;
	thread->ticks = held->event.ticks;
	thread->idle_entry = held->idle;
	thread->order = held->chunk->order;
}

/* Returns true if the record belongs to the one that is held back. */
static bool belongs_to_held(const struct export_held *held, const struct profile_trace_stream *stream,
	const struct profile_trace_event *event)
{
	if (!held->any || held->stream != stream)
		return false;
	if (event->kind == HEDDLE_TRACE_ATTRIBUTE)
		return event->operand < HEDDLE_TRACE_ATTRIBUTES && !export_has(&held->attributes, event->operand);
	bool whole = held->event.kind == HEDDLE_TRACE_STACK && held->event.operand == 0;
	bool mark = event->kind == HEDDLE_TRACE_MARK &&
		    (event->operand == HEDDLE_TRACE_DROPPED || event->operand == HEDDLE_TRACE_WAITED);
	return whole && event->time_ns == held->event.time_ns && (mark || event->kind == HEDDLE_TRACE_IDLE);
}

static void add_to_held(struct export_held *held, const struct profile_trace_event *event)
{
	if (event->kind == HEDDLE_TRACE_ATTRIBUTE) {
		held->attributes.given |= 1u << event->operand;
		held->attributes.value[event->operand] = event->value;
	} else if (event->kind == HEDDLE_TRACE_MARK && event->operand == HEDDLE_TRACE_DROPPED) {
		held->dropped += event->value;
	} else if (event->kind == HEDDLE_TRACE_MARK) {
		held->waited += event->value;
	} else if (event->kind == HEDDLE_TRACE_IDLE) {
		held->idle = held->stream->idle;
	}
}

static int hold(
	struct export_held *held, const struct profile_trace_stream *stream, const struct profile_trace_event *event)
{
	if (profile_reserve(&held->stack, &held->room, stream->depth, sizeof(*held->stack)) != 0)
		return -ENOMEM;
	if (stream->depth)
		memcpy(held->stack, stream->stack, stream->depth * sizeof(*held->stack));
	held->any = true;
	held->given = false;
	held->event = *event;
	held->attributes = export_no_attributes;
	held->stream = stream;
	held->idle = stream->idle;
	held->depth = stream->depth;
	held->chunk = &stream->thread->chunks[stream->chunk];
	held->dropped = held->waited = 0;
	if (event->kind == HEDDLE_TRACE_ATTRIBUTE && event->operand < HEDDLE_TRACE_ATTRIBUTES)
		add_to_held(held, event);
	return 0;
}

/* ---- the walk ---- */

/* Returns the elapsed ticks that were charged to a node at the end of the profile, after the last record. */
static uint64_t charged_at_end(const struct export_walk *walk, size_t number, uint32_t node)
{
	const struct profile_trace_thread *thread = &walk->request->trace->threads[number];
	uint64_t ticks = 0;
	for (size_t i = 0; i < thread->rest_count; i++)
		if (thread->rest[i].metric == HEDDLE_METRIC_WALL_TIME && thread->rest[i].node == node)
			ticks += thread->rest[i].value;
	return ticks;
}

/* Returns how long after the last record the innermost entry ends: with the profile, or after its charged time. */
static uint64_t open_ticks(const struct export_walk *walk, size_t number)
{
	const struct export_walk_thread *thread = &walk->threads[number];
	const struct profile_trace_entry *innermost =
		thread->depth ? &thread->entries[thread->depth - 1].raw : &thread->idle_entry;
	uint64_t end = export_walk_file(walk, number)->info.end_ticks;
	uint64_t left = end > thread->ticks ? end - thread->ticks : 0;
	uint64_t charged = innermost->timed ? charged_at_end(walk, number, innermost->node) : left;
	return charged < left ? charged : left;
}

static void close_thread(struct export_walk *walk, size_t number)
{
	struct export_walk_thread *thread = &walk->threads[number];
	walk->held.attributes = export_no_attributes;
	walk->held.event = (struct profile_trace_event){.kind = HEDDLE_TRACE_KINDS};
	walk->held.idle = thread->idle_entry;
	walk->held.depth = 0;
	uint64_t idle = thread->depth ? charged_at_end(walk, number, thread->idle_entry.node) : 0;
	if (thread->depth > 0 || thread->idle != EXPORT_NO_NODE)
		thread->now_ns += export_walk_ns(walk, number, open_ticks(walk, number));
	while (!walk->status && thread->depth > 0)
		export_walk_leave(walk, number);
	if (idle)
		export_walk_update_idle(walk, number);
	thread->now_ns += export_walk_ns(walk, number, idle);
	export_walk_leave_idle(walk, number);
	while (thread->fork_count > 0)
		export_walk_join(walk, number, thread->forks[thread->fork_count - 1]);
}

#define EVENTS_OF_A_STEP 0x10000

/* Events are in the order of time, so time shows the progress. */
static void report_progress(const struct export_walk *walk, size_t events, const struct profile_trace_event *event)
{
	if (events % EVENTS_OF_A_STEP == 0)
		profile_progress_step(walk->request->progress, "exporting milliseconds of the trace",
			(size_t)(event->time_ns / 1000000), (size_t)(walk->request->trace->end_ns / 1000000));
}

static int walk_merged(struct export_walk *walk, struct profile_trace_merge *merge)
{
	const struct profile_trace_stream *stream;
	struct profile_trace_event event;
	size_t events = 0;
	while (!walk->status && profile_trace_merge_next(merge, &stream, &event) > 0) {
		report_progress(walk, events++, &event);
		if (belongs_to_held(&walk->held, stream, &event)) {
			add_to_held(&walk->held, &event);
			continue;
		}
		release_held(walk);
		int error = hold(&walk->held, stream, &event);
		walk->status = walk->status ? walk->status : error;
	}
	release_held(walk);
	for (size_t i = 0; !walk->status && i < walk->request->trace->thread_count; i++)
		close_thread(walk, i);
	return walk->status;
}

static void free_walk(struct export_walk *walk)
{
	for (size_t i = 0; walk->threads && i < walk->request->trace->thread_count; i++) {
		free(walk->threads[i].entries);
		free(walk->threads[i].forks);
	}
	free(walk->threads);
	free(walk->held.stack);
	export_tasks_free(&walk->tasks);
}

int export_trace_steps(
	const struct export_request *request, int (*each)(void *context, const struct export_step *step), void *context)
{
	struct export_walk walk = {.request = request, .each = each, .context = context};
	size_t count = request->trace->thread_count;
	int error = export_tasks_start(&walk.tasks, count);
	walk.threads = calloc(count + 1, sizeof(*walk.threads));
	struct profile_trace_merge *merge = profile_trace_merge_open(request->trace, 0);
	for (size_t i = 0; walk.threads && i < count; i++)
		walk.threads[i].idle = EXPORT_NO_NODE;
	error = error || !walk.threads || !merge ? -ENOMEM : walk_merged(&walk, merge);
	if (merge)
		profile_trace_merge_close(merge);
	free_walk(&walk);
	return error;
}
