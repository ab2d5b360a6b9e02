/* SPDX-License-Identifier: BSD-3-Clause */
/* Late arrivals: at each barrier of the program, how often which thread came last, and how long the others waited. */
#ifndef HEDDLE_PROFILE_TRACE_LATE_H
#define HEDDLE_PROFILE_TRACE_LATE_H

#include "profile/trace/trace.h"

/* Of a node of the measurement's tree, as which the last thread saw the barrier. */
struct profile_trace_lateness {
	uint32_t node;
	uint64_t count;      /* barriers */
	uint64_t waited_ns;  /* by all but the last ones */
	uint64_t longest_ns; /* by one thread at one of them */
	uint64_t longest_at_ns;
	size_t longest_by;   /* the thread that was waited for then */
	uint32_t *last;      /* by thread: how often it came last */
	uint64_t *caused_ns; /* by thread: how long others waited for it */
};

struct profile_trace_late {
	struct profile_trace_lateness *items; /* in no order */
	size_t count, capacity, thread_count;
};

/* Barriers that end in a part of the run. 0 or a negative error; afterwards `late` is to be freed in any case. */
int profile_trace_late_make(
	struct profile_trace_late *late, const struct profile_trace *trace, const struct profile_trace_part *part);
void profile_trace_late_free(struct profile_trace_late *late);

#endif
