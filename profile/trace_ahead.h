/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading ahead: a helper thread decodes some streams and merges them, into blocks that another thread takes. There are
 * eight blocks at most, so memory does not grow with the events.
 */
#ifndef HEDDLE_PROFILE_TRACE_AHEAD_H
#define HEDDLE_PROFILE_TRACE_AHEAD_H

#include "profile/trace_order.h"

#define PROFILE_TRACE_STEPS 1024

/* An event, in less memory than struct profile_trace_event, and where it happened. */
struct profile_trace_step {
	uint64_t ticks, time_ns, elapsed, value;
	uint32_t node, charged, operand;
	uint32_t position; /* of its stream in the list of threads */
	uint32_t chunk;    /* of its stream */
	uint8_t kind;
	bool timed;
	bool rare; /* its other members are the block's next struct profile_trace_rare */
};

/* Members of events that few kinds have. */
struct profile_trace_rare {
	uint64_t cpu_ns, wall_ticks;
	int64_t partner;
	double real;
	uint32_t pushed, text;
};

struct profile_trace_block {
	size_t count, rare_count;
	struct profile_trace_step steps[PROFILE_TRACE_STEPS];
	struct profile_trace_rare rare[PROFILE_TRACE_STEPS];
	struct profile_trace_entry *entries; /* that STACK records pushed, in their order */
	size_t entry_count, entry_room;
};

/* How far a block was taken. */
struct profile_trace_taken {
	const struct profile_trace_block *block; /* NULL: there are no more */
	size_t steps, rare, entries;
};

struct profile_trace_ahead;

/* NULL: for want of memory, or no thread could be started. The trace must not change until it is closed. */
struct profile_trace_ahead *profile_trace_ahead_open(const struct profile_trace_choice *choice);

/* The next events in their order, valid until the next call; waits for them. NULL: there are no more. */
const struct profile_trace_block *profile_trace_ahead_next(struct profile_trace_ahead *ahead);

/* Of the whole list, after the last block; before, 0. See profile/trace_order.h. */
size_t profile_trace_ahead_broken(struct profile_trace_ahead *ahead);
int profile_trace_ahead_error(struct profile_trace_ahead *ahead);

/* Ends the thread. NULL is allowed. */
void profile_trace_ahead_close(struct profile_trace_ahead *ahead);

/*
 * *event is the block's next one; its stream, which is not read itself, becomes as after it. 0 or -ENOMEM. Numbers of
 * tasks are not kept.
 */
int profile_trace_replay(
	struct profile_trace_stream *stream, struct profile_trace_taken *taken, struct profile_trace_event *event);

#endif
