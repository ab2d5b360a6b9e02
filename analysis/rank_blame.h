/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the code that made other ranks wait, in collectives and for messages: exactly from a trace; without a trace, as
 * far as it follows from unequal times of ranks. Charged to the metrics rank-blame and blame.
 */
#ifndef HEDDLE_ANALYSIS_RANK_BLAME_H
#define HEDDLE_ANALYSIS_RANK_BLAME_H

#include "profile/trace/trace.h"
#include "profile/view/view.h"

/*
 * Charges waits in a part of the run to the tree, which is not named yet. *waited_ns is the time that ranks waited for
 * each other, in total. Returns 0 or a negative error.
 */
int heddle__rank_blame_trace(struct profile_measurement *measurement, const struct profile_trace *trace,
	const struct profile_trace_part *part, uint64_t *waited_ns);

/*
 * Charges the least time that ranks must have waited to the code that took them unequal time: each path is charged the
 * time that all ranks would wait there for the slowest, scaled down if these add up to more than ranks waited. Reads
 * the files again (keep_threads). Changes the view and its measurement. Returns 0 or a negative error; charges nothing
 * for a merged file.
 */
int heddle__rank_blame_profile(struct profile_measurement *measurement, struct profile_view *view, uint64_t *waited_ns);

#endif
