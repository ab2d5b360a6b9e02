/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes steps of records. A record is held back until the next one that is not an attribute of it: what it means may
 * depend on those. After a gap, all regions end before it and go on after it, as nothing is known of the time between.
 */
#include "export/trace_steps.h"

#include "export/trace_tasks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* An open entry of a thread's stack. */
struct entry {
	struct profile_trace_entry raw;
	uint32_t node; /* of the view; EXPORT_NO_NODE: not shown */
	bool team;     /* the thread's part of a parallel region */
	uint64_t parallel;
};

struct thread {
	const struct profile_trace_stream *stream;
	struct entry *entries;
	size_t depth, room;
	uint64_t *forks; /* numbers of the parallel regions that it opened */
	size_t fork_count, fork_room;
	uint64_t now_ns, ticks;
	struct profile_trace_entry idle_entry;
	uint32_t idle;           /* node of the view that is shown as its idle region; EXPORT_NO_NODE: none */
	uint64_t task;           /* number of the task that it executes, as the runtime gives it; 0: unknown */
	uint32_t order;          /* of the chunk that its last record is in */
	bool begun, off, paused; /* paused: up to its next record */
};

/* The record that is held back, with the state after it. */
struct held {
	bool any, given; /* given: a step told of it */
	struct profile_trace_event event;
	struct export_attributes attributes;
	const struct profile_trace_stream *stream;
	struct profile_trace_entry *stack, idle;
	size_t depth, room;
	const struct profile_trace_chunk *chunk;
	uint64_t dropped, waited; /* of the marks after a whole stack */
};

struct walk {
	const struct export_request *request;
	int (*each)(void *context, const struct export_step *step);
	void *context;
	struct thread *threads;
	struct export_tasks tasks;
	struct held held;
	int status; /* of `each`, or an error: not 0 ends the walk */
};

static const struct export_attributes no_attributes;

/* ---- nodes and numbers ---- */

static const struct profile_trace_file *file_of(const struct walk *walk, size_t thread)
{
	const struct profile_trace *trace = walk->request->trace;
	return &trace->files[trace->threads[thread].file];
}

static uint32_t view_node(const struct walk *walk, size_t thread, uint32_t node, const uint32_t *of_node)
{
	const struct profile_trace_file *file = file_of(walk, thread);
	if (node >= file->node_count || file->map[node] == HEDDLE_NO_NODE)
		return EXPORT_NO_NODE;
	return of_node[file->map[node]];
}

static uint64_t ticks_to_ns(const struct walk *walk, size_t thread, uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * file_of(walk, thread)->info.ns_per_tick >> 32);
}

/* ---- steps ---- */

static void give(struct walk *walk, size_t thread, struct export_step step)
{
	step.thread = thread;
	step.time_ns = walk->threads[thread].now_ns;
	if (!step.attributes)
		step.attributes = &no_attributes;
	if (!walk->status)
		walk->status = walk->each(walk->context, &step);
}

/* Of the record that is held back. */
static void give_held(struct walk *walk, size_t thread, struct export_step step)
{
	walk->held.given = true;
	step.event = &walk->held.event;
	step.attributes = &walk->held.attributes;
	give(walk, thread, step);
}

static void give_switch(struct walk *walk, size_t thread, enum export_step_kind kind)
{
	give(walk, thread, (struct export_step){.kind = kind, .node = EXPORT_NO_NODE});
}

/* Nothing was recorded from `since_ns` on; the thread's time is the end of that. */
static void give_gap(struct walk *walk, size_t thread, uint64_t since_ns)
{
	uint64_t now_ns = walk->threads[thread].now_ns;
	walk->threads[thread].now_ns = since_ns;
	give_switch(walk, thread, EXPORT_OFF);
	walk->threads[thread].now_ns = now_ns;
	give_switch(walk, thread, EXPORT_ON);
}

/* ---- parallel regions and tasks ---- */

static void fork_team(struct walk *walk, size_t number, uint64_t parallel)
{
	struct thread *thread = &walk->threads[number];
	int error = profile_reserve(&thread->forks, &thread->fork_room, thread->fork_count + 1, sizeof(parallel));
	if (error) {
		walk->status = error;
		return;
	}
	thread->forks[thread->fork_count++] = parallel;
	give_held(walk, number, (struct export_step){.kind = EXPORT_FORK});
}

/* The parallel region of that number has ended, and with it those that were opened in it. */
static void join_team(struct walk *walk, size_t number, uint64_t parallel)
{
	struct thread *thread = &walk->threads[number];
	size_t at = thread->fork_count;
	while (at > 0 && thread->forks[at - 1] != parallel)
		at--;
	if (at == 0)
		return;
	while (thread->fork_count >= at) {
		give(walk, number, (struct export_step){.kind = EXPORT_JOIN});
		thread->fork_count--;
	}
}

static void begin_team(struct walk *walk, size_t number, uint64_t parallel)
{
	struct thread *thread = &walk->threads[number];
	struct entry *entry = thread->depth ? &thread->entries[thread->depth - 1] : NULL;
	if (!entry || entry->team)
		return;
	entry->team = true;
	entry->parallel = parallel;
	give_held(walk, number, (struct export_step){.kind = EXPORT_TEAM_BEGIN, .node = entry->node});
}

/* Whether the innermost entry is an implicit task that was not named yet: its context is a parallel region. */
static bool is_new_part(const struct walk *walk, size_t number)
{
	const struct profile_call_tree *tree = &walk->request->measurement->tree;
	const struct profile_trace_file *file = file_of(walk, number);
	const struct thread *thread = &walk->threads[number];
	const struct entry *entry = thread->depth ? &thread->entries[thread->depth - 1] : NULL;
	if (!entry || entry->team || entry->raw.node >= file->node_count ||
		file->map[entry->raw.node] == HEDDLE_NO_NODE)
		return false;
	const struct profile_node *node = &tree->nodes[file->map[entry->raw.node]];
	return node->kind == HEDDLE_NODE_REGION && tree->events[node->event].category == HEDDLE_CATEGORY_PARALLEL;
}

/* Its creator names the region, and so do its threads; those tell the size of the team, too, perhaps a record later. */
static void take_parallel(struct walk *walk, size_t number)
{
	const struct export_attributes *attributes = &walk->held.attributes;
	if (!export_has(attributes, HEDDLE_TRACE_PARALLEL))
		return;
	if (export_has(attributes, HEDDLE_TRACE_TEAM_SIZE) || is_new_part(walk, number))
		begin_team(walk, number, attributes->value[HEDDLE_TRACE_PARALLEL]);
	else
		fork_team(walk, number, attributes->value[HEDDLE_TRACE_PARALLEL]);
}

static void create_task(struct walk *walk, size_t number, uint64_t key)
{
	uint32_t process = walk->request->trace->threads[number].file;
	struct export_task *task = export_task_create(&walk->tasks, process, key, number);
	if (task)
		give_held(walk, number, (struct export_step){.kind = EXPORT_TASK_CREATE, .task = *task});
	else
		walk->status = walk->status ? walk->status : -ENOMEM;
}

static void end_task(struct walk *walk, size_t number, uint64_t key)
{
	uint32_t process = walk->request->trace->threads[number].file;
	const struct export_task *task = export_task_find(&walk->tasks, process, key);
	if (task)
		give_held(walk, number, (struct export_step){.kind = EXPORT_TASK_END, .task = *task});
	export_task_remove(&walk->tasks, process, key);
	walk->threads[number].task = 0;
}

/* A task that nothing created is implicit. */
static void switch_task(struct walk *walk, size_t number, uint64_t key)
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
	give_held(walk, number, step);
}

#define TASK_ATTRIBUTES (1u << HEDDLE_TRACE_TASK_CREATE | 1u << HEDDLE_TRACE_TASK | 1u << HEDDLE_TRACE_TASK_END)

/* Once for each record. */
static void take_tasks(struct walk *walk, size_t number)
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

/* ---- regions ---- */

/* What an entry is shown as: not the program itself, nor once more what is shown around it. */
static uint32_t shown_node(const struct walk *walk, size_t number, uint32_t node, bool visit)
{
	const struct thread *thread = &walk->threads[number];
	uint32_t shown = view_node(walk, number, node, walk->request->view->of_node);
	if (shown == 0 || shown == EXPORT_NO_NODE)
		return EXPORT_NO_NODE;
	for (size_t i = thread->depth; !visit && i > 0; i--)
		if (thread->entries[i - 1].node != EXPORT_NO_NODE)
			return thread->entries[i - 1].node == shown ? EXPORT_NO_NODE : shown;
	return shown;
}

static void leave_one(struct walk *walk, size_t number)
{
	struct thread *thread = &walk->threads[number];
	struct entry entry = thread->entries[--thread->depth];
	if (entry.team)
		give(walk, number, (struct export_step){.kind = EXPORT_TEAM_END, .node = entry.node});
	if (entry.node != EXPORT_NO_NODE)
		give_held(walk, number, (struct export_step){.kind = EXPORT_LEAVE, .node = entry.node});
	if (entry.team)
		join_team(walk, number, entry.parallel);
}

static void leave_idle(struct walk *walk, size_t number)
{
	struct thread *thread = &walk->threads[number];
	if (thread->idle != EXPORT_NO_NODE)
		give(walk, number, (struct export_step){.kind = EXPORT_LEAVE, .node = thread->idle});
	thread->idle = EXPORT_NO_NODE;
}

/* The record's attributes belong to the last entry that it pushes. */
static void enter_one(struct walk *walk, size_t number, struct profile_trace_entry raw, bool visit, bool last)
{
	struct thread *thread = &walk->threads[number];
	const struct export_attributes *attributes = last ? &walk->held.attributes : &no_attributes;
	walk->held.given |= last;
	int error = profile_reserve(&thread->entries, &thread->room, thread->depth + 1, sizeof(*thread->entries));
	if (error) {
		walk->status = error;
		return;
	}
	struct entry entry = {.raw = raw, .node = shown_node(walk, number, raw.node, visit)};
	thread->entries[thread->depth++] = entry;
	struct export_step step = {.kind = EXPORT_ENTER, .node = entry.node, .visit = visit, .attributes = attributes};
	step.event = &walk->held.event;
	if (entry.node != EXPORT_NO_NODE)
		give(walk, number, step);
}

/* While nothing is open, a thread may be charged idle time. */
static void update_idle(struct walk *walk, size_t number)
{
	const struct held *held = &walk->held;
	struct thread *thread = &walk->threads[number];
	uint32_t idle = EXPORT_NO_NODE;
	if (held->depth == 0 && held->idle.timed)
		idle = view_node(walk, number, held->idle.node, walk->request->view->of_node);
	idle = idle == 0 ? EXPORT_NO_NODE : idle;
	if (idle == thread->idle)
		return;
	leave_idle(walk, number);
	thread->idle = idle;
	if (idle != EXPORT_NO_NODE)
		give(walk, number, (struct export_step){.kind = EXPORT_ENTER, .node = idle});
}

/* The first `kept` entries stay, the record's own follow. A task is switched to before its entry begins. */
static void change_stack(struct walk *walk, size_t number, size_t kept)
{
	const struct held *held = &walk->held;
	const struct thread *thread = &walk->threads[number];
	bool visit = held->event.kind == HEDDLE_TRACE_BEGIN || held->event.kind == HEDDLE_TRACE_BEGIN_UNTIMED;
	if (held->depth > 0)
		leave_idle(walk, number);
	while (!walk->status && thread->depth > kept)
		leave_one(walk, number);
	take_tasks(walk, number);
	for (size_t i = kept; !walk->status && i < held->depth; i++)
		enter_one(walk, number, held->stack[i], visit, i + 1 == held->depth);
	update_idle(walk, number);
}

/* ---- records ---- */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many entries a whole stack has in common with the one before. */
static size_t same_entries(const struct thread *thread, const struct held *held)
{
	size_t same = 0, most = least(thread->depth, held->depth);
	while (same < most && thread->entries[same].raw.node == held->stack[same].node &&
		thread->entries[same].raw.timed == held->stack[same].timed)
		same++;
	return same;
}

/* Nothing is known of the time between; `now_ns` is the end of the gap. */
static void bridge_gap(struct walk *walk, size_t number, uint64_t now_ns)
{
	struct thread *thread = &walk->threads[number];
	uint64_t since_ns = thread->now_ns;
	leave_idle(walk, number);
	while (!walk->status && thread->depth > 0)
		leave_one(walk, number);
	thread->now_ns = now_ns;
	give_gap(walk, number, since_ns);
}

static void stall(struct walk *walk, size_t number, uint64_t now_ns)
{
	struct thread *thread = &walk->threads[number];
	uint64_t waited_ns = ticks_to_ns(walk, number, walk->held.waited);
	uint64_t since_ns = waited_ns < now_ns - thread->now_ns ? now_ns - waited_ns : thread->now_ns;
	thread->now_ns = now_ns;
	give(walk, number, (struct export_step){.kind = EXPORT_STALLED, .node = EXPORT_NO_NODE, .since_ns = since_ns});
}

static void take_stack(struct walk *walk, size_t number, uint64_t now_ns)
{
	const struct held *held = &walk->held;
	struct thread *thread = &walk->threads[number];
	bool gap = thread->begun && (held->dropped || held->chunk->order > thread->order + 1);
	if (gap)
		bridge_gap(walk, number, now_ns);
	else if (held->waited)
		stall(walk, number, now_ns);
	thread->now_ns = now_ns;
	size_t kept = held->event.operand ? held->event.operand : same_entries(thread, held);
	if (export_has(&held->attributes, HEDDLE_TRACE_TASK))
		kept = held->event.operand;
	change_stack(walk, number, least(kept, least(thread->depth, held->depth)));
}

static void take_visit(struct walk *walk, size_t number)
{
	uint32_t node = view_node(walk, number, walk->held.event.node, walk->request->view->of_node);
	if (node != EXPORT_NO_NODE)
		give_held(walk, number, (struct export_step){.kind = EXPORT_MOMENT, .node = node, .visit = true});
}

static void take_add(struct walk *walk, size_t number)
{
	const struct profile_trace_event *event = &walk->held.event;
	uint64_t amount = event->value;
	if (heddle__metric_kind(event->operand) == HEDDLE_METRIC_KIND_TICKED)
		amount = ticks_to_ns(walk, number, amount);
	give_held(walk, number,
		(struct export_step){.kind = EXPORT_AMOUNT,
			.node = view_node(walk, number, event->node, walk->request->view->of_node),
			.metric = event->operand,
			.amount = amount});
}

/* What has a node and no effect on the stack. */
static void take_value(struct walk *walk, size_t number, enum export_step_kind kind)
{
	const struct profile_view *view = walk->request->view;
	const uint32_t *nodes = kind == EXPORT_SAMPLE ? view->inside : view->of_node;
	uint32_t node = view_node(walk, number, walk->held.event.node, nodes);
	give_held(walk, number, (struct export_step){.kind = kind, .node = node});
}

static void take_mark(struct walk *walk, size_t number, uint64_t before_ns)
{
	struct thread *thread = &walk->threads[number];
	switch (walk->held.event.operand) {
	case HEDDLE_TRACE_THREAD_BEGIN:
	case HEDDLE_TRACE_THREAD_END:
		change_stack(walk, number, 0);
		break;
	case HEDDLE_TRACE_OFF:
		if (!thread->off)
			give_switch(walk, number, EXPORT_OFF);
		thread->off = true;
		break;
	case HEDDLE_TRACE_ON:
		if (thread->off)
			give_switch(walk, number, EXPORT_ON);
		thread->off = false;
		break;
	case HEDDLE_TRACE_PAUSED:
		if (!thread->paused && !thread->off)
			give_switch(walk, number, EXPORT_OFF);
		thread->paused = true;
		break;
	case HEDDLE_TRACE_DROPPED:
		give_gap(walk, number, before_ns);
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

static void take(struct walk *walk, size_t number, uint64_t before_ns)
{
	const struct thread *thread = &walk->threads[number];
	switch (walk->held.event.kind) {
	case HEDDLE_TRACE_END:
		change_stack(walk, number, walk->held.depth);
		break;
	case HEDDLE_TRACE_BEGIN:
	case HEDDLE_TRACE_BEGIN_UNTIMED:
	case HEDDLE_TRACE_OPEN:
		change_stack(walk, number, least(thread->depth, walk->held.depth - !!walk->held.depth));
		break;
	case HEDDLE_TRACE_IDLE:
		update_idle(walk, number);
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
	case HEDDLE_TRACE_MARK:
		take_mark(walk, number, before_ns);
		break;
	default:
		break;
	}
}

/* ---- holding back ---- */

/* The record after that of a pause is the first one after it. */
static void end_pause(struct walk *walk, size_t number, uint64_t now_ns)
{
	struct thread *thread = &walk->threads[number];
	if (!thread->paused)
		return;
	thread->paused = false;
	thread->now_ns = now_ns;
	if (!thread->off)
		give_switch(walk, number, EXPORT_ON);
}

static void release_held(struct walk *walk)
{
	struct held *held = &walk->held;
	if (!held->any)
		return;
	held->any = false;
	size_t number = (size_t)(held->stream->thread - walk->request->trace->threads);
	struct thread *thread = &walk->threads[number];
	uint64_t before_ns = thread->begun ? thread->now_ns : held->event.time_ns;
	uint64_t now_ns = held->event.time_ns > before_ns ? held->event.time_ns : before_ns;
	if (!thread->begun)
		thread->now_ns = now_ns;
	end_pause(walk, number, now_ns);
	if (held->event.kind == HEDDLE_TRACE_STACK) {
		take_stack(walk, number, now_ns);
	} else {
		thread->now_ns = now_ns;
		take(walk, number, before_ns);
		take_tasks(walk, number);
	}
	take_parallel(walk, number);
	if (held->attributes.given && !held->given)
		give_held(walk, number, (struct export_step){.kind = EXPORT_ATTRIBUTES, .node = EXPORT_NO_NODE});
	thread->begun = true;
	thread->ticks = held->event.ticks;
	thread->idle_entry = held->idle;
	thread->order = held->chunk->order;
}

/* Whether the record belongs to the one that is held back. */
static bool belongs_to_held(
	const struct held *held, const struct profile_trace_stream *stream, const struct profile_trace_event *event)
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

static void add_to_held(struct held *held, const struct profile_trace_event *event)
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

static int hold(struct held *held, const struct profile_trace_stream *stream, const struct profile_trace_event *event)
{
	if (profile_reserve(&held->stack, &held->room, stream->depth, sizeof(*held->stack)) != 0)
		return -ENOMEM;
	if (stream->depth)
		memcpy(held->stack, stream->stack, stream->depth * sizeof(*held->stack));
	held->any = true;
	held->given = false;
	held->event = *event;
	held->attributes = no_attributes;
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

/* Elapsed ticks that were charged to a node at the end of the profile, after the last record. */
static uint64_t charged_at_end(const struct walk *walk, size_t number, uint32_t node)
{
	const struct profile_trace_thread *thread = &walk->request->trace->threads[number];
	uint64_t ticks = 0;
	for (size_t i = 0; i < thread->rest_count; i++)
		if (thread->rest[i].metric == HEDDLE_METRIC_WALL_TIME && thread->rest[i].node == node)
			ticks += thread->rest[i].value;
	return ticks;
}

/* How long after the last record the innermost entry ends: with the profile, or, if its time is known, after that. */
static uint64_t open_ticks(const struct walk *walk, size_t number)
{
	const struct thread *thread = &walk->threads[number];
	const struct profile_trace_entry *innermost =
		thread->depth ? &thread->entries[thread->depth - 1].raw : &thread->idle_entry;
	uint64_t end = file_of(walk, number)->info.end_ticks;
	uint64_t left = end > thread->ticks ? end - thread->ticks : 0;
	uint64_t charged = innermost->timed ? charged_at_end(walk, number, innermost->node) : left;
	return charged < left ? charged : left;
}

static void close_thread(struct walk *walk, size_t number)
{
	struct thread *thread = &walk->threads[number];
	walk->held.attributes = no_attributes;
	walk->held.event = (struct profile_trace_event){.kind = HEDDLE_TRACE_KINDS};
	walk->held.idle = thread->idle_entry;
	walk->held.depth = 0;
	uint64_t idle = thread->depth ? charged_at_end(walk, number, thread->idle_entry.node) : 0;
	if (thread->depth > 0 || thread->idle != EXPORT_NO_NODE)
		thread->now_ns += ticks_to_ns(walk, number, open_ticks(walk, number));
	while (!walk->status && thread->depth > 0)
		leave_one(walk, number);
	if (idle)
		update_idle(walk, number);
	thread->now_ns += ticks_to_ns(walk, number, idle);
	leave_idle(walk, number);
	while (thread->fork_count > 0)
		join_team(walk, number, thread->forks[thread->fork_count - 1]);
}

#define EVENTS_OF_A_STEP 0x10000

/* Events come in the order of time. */
static void tell_progress(const struct walk *walk, size_t events, const struct profile_trace_event *event)
{
	if (events % EVENTS_OF_A_STEP == 0)
		profile_progress_step(walk->request->progress, "exporting milliseconds of the trace",
			(size_t)(event->time_ns / 1000000), (size_t)(walk->request->trace->end_ns / 1000000));
}

static int walk_merged(struct walk *walk, struct profile_trace_merge *merge)
{
	const struct profile_trace_stream *stream;
	struct profile_trace_event event;
	size_t events = 0;
	while (!walk->status && profile_trace_merge_next(merge, &stream, &event) > 0) {
		tell_progress(walk, events++, &event);
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

static void free_walk(struct walk *walk)
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
	struct walk walk = {.request = request, .each = each, .context = context};
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
