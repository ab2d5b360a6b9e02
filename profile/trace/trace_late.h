/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who waited for whom: for each barrier of the program, how often each thread arrived last, and how long the others
 * waited; for each collective and message, which thread waited, and whose code made it wait.
 */
#ifndef HEDDLE_PROFILE_TRACE_LATE_H
#define HEDDLE_PROFILE_TRACE_LATE_H

#include "profile/trace/trace_sync.h"

/*
 * Waits at a node of the measurement's tree: for barriers of teams and of all ranks, the node at which the last thread
 * saw the barrier; for others, where threads waited.
 */
struct profile_trace_lateness {
	enum profile_trace_wait kind;
	uint32_t node;
	uint64_t count;      /* barriers, collectives, messages */
	uint64_t waited_ns;  /* by all that waited */
	uint64_t longest_ns; /* by one thread at one of them */
	uint64_t longest_at_ns;
	size_t longest_by; /* the thread that the longest wait was for */
};

/* A thread that was waited for, with the region that it was in. */
struct profile_trace_late_cause {
	size_t item; /* index into `items` */
	size_t thread;
	uint32_t node;      /* of the region, in the measurement's tree */
	uint64_t last;      /* how often it arrived last */
	uint64_t caused_ns; /* how long others waited for it */
};

struct profile_trace_late {
	struct profile_trace_lateness *items; /* in no order */
	size_t count, capacity, thread_count;
	struct profile_trace_late_cause *causes; /* in no order */
	size_t cause_count, cause_capacity;
};

/* Finds what ends in a part of the run. Returns 0 or a negative error. Free `late` in any case. */
int profile_trace_late_make(
	struct profile_trace_late *late, const struct profile_trace *trace, const struct profile_trace_part *part);
void profile_trace_late_free(struct profile_trace_late *late);

/*
 * For a pass that has other hooks, too: begin (NULL: no memory), add each meeting that the hook `met` receives (0 or a
 * negative error), end.
 */
struct profile_trace_late_sums;
struct profile_trace_late_sums *profile_trace_late_begin(
	struct profile_trace_late *late, const struct profile_trace *trace, const struct profile_trace_part *part);
int profile_trace_late_add(struct profile_trace_late_sums *sums, const struct profile_trace_meeting *meeting);
void profile_trace_late_end(struct profile_trace_late_sums *sums);

#endif
