/* SPDX-License-Identifier: BSD-3-Clause */
/* What threads executed in a slice of time, by label, from a trace's times by node. */
#ifndef HEDDLE_ANALYSIS_LABEL_TIMES_H
#define HEDDLE_ANALYSIS_LABEL_TIMES_H

#include "profile/view/view.h"

struct heddle_label_time {
	uint64_t ns;
	uint32_t label; /* of the view */
};

/*
 * Fills `times`, which has room for all labels of the view, most time first. `ns` has the time of each of the `count`
 * nodes of the measurement's tree. Returns the sum.
 */
uint64_t heddle__label_times(
	struct heddle_label_time *times, const struct profile_view *view, const uint64_t *ns, size_t count);

#endif
