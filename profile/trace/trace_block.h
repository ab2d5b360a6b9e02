/* SPDX-License-Identifier: BSD-3-Clause */
/* Events that one thread decoded, as another one takes them. */
#ifndef HEDDLE_PROFILE_TRACE_BLOCK_H
#define HEDDLE_PROFILE_TRACE_BLOCK_H

#include "profile/trace/trace.h"

#define PROFILE_TRACE_STEPS 1024

/*
 * An event and where it happened, in half a cache line, as lines that another processor wrote are what takes time. What
 * the stack before it says is not there: elapsed time, and the node that it is charged to.
 */
struct profile_trace_step {
	uint64_t time_ns, ticks;
	uint32_t node;
	union {
		uint32_t operand;
		uint32_t tree_node; /* of kinds that have one; these have no operand */
	};
	uint32_t position; /* of its stream in the list of threads */
	uint8_t kind;
	bool timed;
	bool more; /* its other members are the block's next struct profile_trace_more */
	uint8_t unused;
};

_Static_assert(sizeof(struct profile_trace_step) == 32, "half a cache line");

/* Members that few events have, and the beginnings of chunks. */
struct profile_trace_more {
	uint64_t value, cpu_ns, wall_ticks;
	int64_t partner;
	union {
		double real;
		uint64_t identity;
	};
	union {
		uint32_t pushed;
		uint32_t own_rank;
	};
	uint32_t text;
	size_t chunk;
};

struct profile_trace_block {
	size_t count, more_count;
	struct profile_trace_step steps[PROFILE_TRACE_STEPS];
	struct profile_trace_more more[PROFILE_TRACE_STEPS];
	struct profile_trace_entry *entries; /* that STACK records pushed, in their order */
	size_t entry_count, entry_room;
};

/* How far a block was taken. */
struct profile_trace_taken {
	const struct profile_trace_block *block; /* NULL: there are no more */
	size_t steps, more, entries;
};

static inline bool profile_trace_has_tree_node(unsigned int kind)
{
	return kind == HEDDLE_TRACE_BEGIN || kind == HEDDLE_TRACE_BEGIN_UNTIMED || kind == HEDDLE_TRACE_OPEN ||
	       kind == HEDDLE_TRACE_VISIT;
}

/*
 * *event is the block's next one, without what its stack says; *pushed: entries that a STACK pushed. Returns its step.
 */
const struct profile_trace_step *profile_trace_take_step(struct profile_trace_taken *taken,
	struct profile_trace_event *event, const struct profile_trace_entry **pushed);

/*
 * *event is the block's next one; its stream, which is not read itself, becomes as after it. 0 or -ENOMEM. Numbers of
 * tasks are not kept.
 */
int profile_trace_replay(
	struct profile_trace_stream *stream, struct profile_trace_taken *taken, struct profile_trace_event *event);

#endif
