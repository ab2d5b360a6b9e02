/* SPDX-License-Identifier: BSD-3-Clause */
/* The sums of a thread's records, before they are converted to values of the profile's nodes and units. */
#ifndef HEDDLE_PROFILE_TRACE_SUM_H
#define HEDDLE_PROFILE_TRACE_SUM_H

#include "profile/trace/trace.h"

/* Ticked metrics are in ticks until profile_trace_convert. */
struct profile_trace_sum {
	struct profile_trace_values values;
	struct profile_distributions distributions; /* by nodes of the file, and strings of its process + 1 */
};

/* The whole trace. */
extern const struct profile_trace_part_list profile_trace_whole;

/* Adds up the records of one thread. Returns errors like profile_trace_thread_values. */
int profile_trace_add_up(struct profile_trace_sum *sum, const struct profile_trace *trace, size_t thread,
	const struct profile_trace_part_list *parts);
void profile_trace_sum_free(struct profile_trace_sum *sum);

/* Charges values of nodes that are not in the profile to those above, like the profile's writer. */
void profile_trace_fold(struct profile_trace_values *values, const struct profile_trace_file *file);

/* Converts ticks to the metrics' units, once for each node. */
void profile_trace_convert(struct profile_trace_values *values, const struct profile_trace_file *file);

#endif
