/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which code made other ranks wait, in collectives and for messages: exactly from a trace, without one as far as it
 * follows from what ranks spend unequal time for. Charged to metrics: rank-blame, and with it blame.
 */
#ifndef HEDDLE_ANALYSIS_RANK_BLAME_H
#define HEDDLE_ANALYSIS_RANK_BLAME_H

#include "profile/trace/trace.h"
#include "profile/view/view.h"

/*
 * Charges waits in a part of the run to the tree, which is not named yet. 0 or a negative error; *waited_ns: in all,
 * by ranks for each other.
 */
int heddle__rank_blame_trace(struct profile_measurement *measurement, const struct profile_trace *trace,
	const struct profile_trace_part *part, uint64_t *waited_ns);

/*
 * Charges the least that ranks waited to the code for which they spent unequal time: to each path as much as all ranks
 * would wait there for the slowest, in proportion if that is more in all. Reads the files again (keep_threads). Changes
 * the view and its measurement. 0 or a negative error; nothing of a merged file.
 */
int heddle__rank_blame_profile(struct profile_measurement *measurement, struct profile_view *view, uint64_t *waited_ns);

#endif
