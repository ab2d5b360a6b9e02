/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of all threads in the order of time, as regions and tasks that begin and end, each with the attributes
 * that follow its record, and with a number that was found at its begin. Memory: the threads' stacks.
 */
#ifndef HEDDLE_PROFILE_TRACE_FOLLOW_H
#define HEDDLE_PROFILE_TRACE_FOLLOW_H

#include "profile/trace/trace.h"
#include "profile/trace/trace_spans.h"

/* Attributes of a record. */
struct profile_trace_attributes {
	uint32_t given; /* a bit for each enum heddle_trace_attribute */
	uint64_t value[HEDDLE_TRACE_ATTRIBUTES];
};

/* Copies what *from gives to *to; other values do not change. */
static inline void profile_trace_take_attributes(
	struct profile_trace_attributes *to, const struct profile_trace_attributes *from)
{
	to->given = from->given;
	for (uint32_t left = from->given; left; left &= left - 1)
		to->value[__builtin_ctz(left)] = from->value[__builtin_ctz(left)];
}

static inline bool profile_trace_has(
	const struct profile_trace_attributes *attributes, enum heddle_trace_attribute attribute)
{
	return attributes->given >> attribute & 1;
}

/* An entry of a thread's stack. Attributes, which most lack, come last: the rest is what many threads need in turn. */
struct profile_trace_open {
	uint32_t node;      /* as in the thread's file */
	uint32_t tree_node; /* in the measurement's tree; HEDDLE_NO_NODE: not in the profile */
	uint64_t since_ns;
	uint64_t number; /* for use by the hooks, 0 at begin */
	bool region;     /* begun by an event; else a task, or an entry with unknown begin */
	struct profile_trace_attributes attributes;
};

/* Returns the node of the measurement's tree with the entry's values: its own, or the nearest above in the profile. */
static inline uint32_t profile_trace_open_node(
	const struct profile_trace *trace, size_t thread, const struct profile_trace_open *open)
{
	return open->node && open->tree_node != HEDDLE_NO_NODE
		       ? open->tree_node
		       : profile_trace_tree_node(&trace->files[trace->threads[thread].file], open->node);
}

struct profile_trace_stack {
	struct profile_trace_open *entries;
	size_t depth, capacity;
	bool begun;
	bool restored; /* its last entries were not begun, but found in a record of the whole stack */
};

/* `before` may be NULL; the others return 0 to continue. Threads are indices into the trace's. */
struct profile_trace_follow_hooks {
	/* A thread's first event. */
	int (*first)(void *context, size_t thread, uint64_t ns);
	/* Any record, before the calls below. */
	void (*before)(void *context, size_t thread, uint64_t ns);
	/* An entry ended, innermost first; `stack` is that after it. */
	int (*ended)(void *context, size_t thread, const struct profile_trace_stack *stack,
		const struct profile_trace_open *open, const struct profile_trace_attributes *attributes, uint64_t ns);
	/* A region began; it is the stack's last entry. */
	int (*begun)(void *context, size_t thread, const struct profile_trace_stack *stack);
	/* Any record, after `ended` and `begun`. */
	int (*record)(void *context, size_t thread, struct profile_trace_stack *stack,
		const struct profile_trace_event *event, const struct profile_trace_attributes *attributes);
};

/* 0, what a function returned, or a negative error. */
int profile_trace_follow(
	const struct profile_trace *trace, const struct profile_trace_follow_hooks *hooks, void *context);

#endif
