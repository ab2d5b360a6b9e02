/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path by thread, and as a metric of the call-path tree like any other. */
#ifndef HEDDLE_ANALYSIS_CRITICAL_H
#define HEDDLE_ANALYSIS_CRITICAL_H

#include "profile/trace/trace_critical.h"
#include "profile/view/view.h"

struct heddle_critical_row {
	size_t thread;          /* of the trace */
	uint64_t ns;            /* length of the path on this thread */
	const uint64_t *states; /* ns, by enum heddle_state; belongs to the critical path */
};

/* The threads that the path runs on, in the order of thread tables. */
struct heddle_critical_rows {
	struct heddle_critical_row *items;
	size_t count;
	uint64_t total; /* its length, ns */
};

/* Returns 0 or -ENOMEM. */
int heddle__critical_rows_make(struct heddle_critical_rows *rows, const struct profile_trace *trace,
	const struct profile_trace_critical *critical);
void heddle__critical_rows_free(struct heddle_critical_rows *rows);

/*
 * Waiting on the critical path because of too few processors: a thread that has been released stays on the path while
 * it waits for a processor, which is not a wait for another thread.
 */
struct heddle_critical_crowd {
	double share;               /* of the path: waiting */
	size_t threads, processors; /* of the first host with more threads than processors; 0: `share` is negligible */
};

/* Returns 0 or -ENOMEM. */
int heddle__critical_crowd_find(struct heddle_critical_crowd *crowd, const struct heddle_critical_rows *rows,
	const struct profile_measurement *measurement);

/* Returns ns on the path by node of a view, like the metric below; to be freed with free(). NULL: no memory. */
uint64_t *heddle__critical_nodes(const struct profile_view *view, const struct profile_trace_critical *critical);

/*
 * Adds the critical path to a measurement that is not named yet, as values of nodes and threads. Returns the metric's
 * number, or -ENOMEM.
 */
int heddle__critical_metric_add(struct profile_measurement *measurement, const struct profile_trace *trace,
	const struct profile_trace_critical *critical);

#endif
