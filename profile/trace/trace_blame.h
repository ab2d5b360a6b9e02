/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which code made others wait: a wait is charged to what the thread did that was waited for, from the begin of the wait
 * until it did what ended it; where it waited meanwhile itself, to what it waited for. Memory: 32 bytes for each wait.
 */
#ifndef HEDDLE_PROFILE_TRACE_BLAME_H
#define HEDDLE_PROFILE_TRACE_BLAME_H

#include "profile/trace/trace.h"

struct profile_trace_blame {
	uint64_t *of_node; /* ns, by node of the measurement's tree */
	size_t node_count;
	uint64_t waited_ns;
};

/*
 * Of waits in a part of the run, in regions of those nodes of the measurement's tree for which `charged` is true. 0 or
 * a negative error; to be freed in any case.
 */
int profile_trace_blame_make(struct profile_trace_blame *blame, const struct profile_trace *trace,
	const struct profile_trace_part *part, const bool *charged);
void profile_trace_blame_free(struct profile_trace_blame *blame);

#endif
