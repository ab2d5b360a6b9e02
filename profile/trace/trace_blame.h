/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the code that made others wait: a wait is charged to what the thread that was waited for did, from the
 * beginning of the wait to the event that ended it; if that thread waited itself meanwhile, to what it waited for.
 * Memory: 32 bytes per wait.
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
 * Blames waits in a part of the run, in regions whose nodes in the measurement's tree have `charged` set. Returns 0 or
 * a negative error. Free `blame` in any case.
 */
int profile_trace_blame_make(struct profile_trace_blame *blame, const struct profile_trace *trace,
	const struct profile_trace_part *part, const bool *charged);
void profile_trace_blame_free(struct profile_trace_blame *blame);

#endif
