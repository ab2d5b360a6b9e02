/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state while export/trace_steps.c makes steps of a trace's records, and its parts: the threads' stacks, and their
 * parallel regions and tasks. `number` is a thread's index in the trace.
 */
#ifndef HEDDLE_EXPORT_TRACE_WALK_H
#define HEDDLE_EXPORT_TRACE_WALK_H

#include "export/trace_steps.h"
#include "export/trace_tasks.h"

/* An open entry of a thread's stack. */
struct export_entry {
	struct profile_trace_entry raw;
	uint32_t node; /* of the view; EXPORT_NO_NODE: not shown */
	bool team;     /* the thread's part of a parallel region */
	uint64_t parallel;
};

struct export_walk_thread {
	const struct profile_trace_stream *stream;
	struct export_entry *entries;
	size_t depth, room;
	uint64_t *forks; /* numbers of the parallel regions that the thread opened */
	size_t fork_count, fork_room;
	uint64_t now_ns, ticks;
	struct profile_trace_entry idle_entry;
	uint32_t idle;           /* node of the view that is shown as its idle region; EXPORT_NO_NODE: none */
	uint64_t task;           /* number that the runtime gave to the task that it executes; 0: unknown */
	uint32_t order;          /* order of the chunk that has its last record */
	uint64_t moved[2];       /* lock-blame and blame, ns, that records move from one node to another */
	bool begun, off, paused; /* paused: until its next record */
};

/* The record that is held back, with the state after it. */
struct export_held {
	bool any, given; /* given: a step was passed on for it */
	struct profile_trace_event event;
	struct export_attributes attributes;
	const struct profile_trace_stream *stream;
	struct profile_trace_entry *stack, idle;
	size_t depth, room;
	const struct profile_trace_chunk *chunk;
	uint64_t dropped, waited; /* from the marks after a complete stack */
};

struct export_walk {
	const struct export_request *request;
	int (*each)(void *context, const struct export_step *step);
	void *context;
	struct export_walk_thread *threads;
	struct export_tasks tasks;
	struct export_held held;
	int status; /* result of `each`, or an error; not 0 ends the walk */
};

extern const struct export_attributes export_no_attributes;

/* ---- export/trace_walk.c: nodes, numbers and steps ---- */

const struct profile_trace_file *export_walk_file(const struct export_walk *walk, size_t thread);

/* Returns a node's number in the view, by one of its tables; EXPORT_NO_NODE: none. */
uint32_t export_walk_node(const struct export_walk *walk, size_t thread, uint32_t node, const uint32_t *of_node);

uint64_t export_walk_ns(const struct export_walk *walk, size_t thread, uint64_t ticks);

/* Pass a step on: at the thread's time; for the record that is held back; for a switch; for a time without records. */
void export_walk_give(struct export_walk *walk, size_t thread, struct export_step step);
void export_walk_give_held(struct export_walk *walk, size_t thread, struct export_step step);
void export_walk_give_switch(struct export_walk *walk, size_t thread, enum export_step_kind kind);
void export_walk_give_gap(struct export_walk *walk, size_t thread, uint64_t since_ns);

/* ---- export/trace_teams.c: parallel regions and tasks of the held record ---- */

void export_walk_take_parallel(struct export_walk *walk, size_t number);
void export_walk_join(struct export_walk *walk, size_t number, uint64_t parallel);
void export_walk_take_tasks(struct export_walk *walk, size_t number);

/* ---- export/trace_stack.c: open regions ---- */

/* Ends the innermost region. */
void export_walk_leave(struct export_walk *walk, size_t number);
void export_walk_leave_idle(struct export_walk *walk, size_t number);
void export_walk_update_idle(struct export_walk *walk, size_t number);

/* Keeps the first `kept` entries, and adds the held record's own. */
void export_walk_change_stack(struct export_walk *walk, size_t number, size_t kept);

#endif
