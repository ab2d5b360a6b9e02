/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of a metric by path: of all threads together, and of the thread with the largest value of the path. */
#ifndef HEDDLE_ANALYSIS_PATH_TIMES_H
#define HEDDLE_ANALYSIS_PATH_TIMES_H

#include "profile/view/view.h"

/* By node of the view. */
struct heddle_path_times {
	uint64_t *own, *total;           /* exclusive and inclusive, of all threads */
	uint64_t *most_own, *most_total; /* of the thread with the largest */
};

/*
 * Returns 0 or a negative error: -HEDDLE_MERGED for a merged file, -EINVAL for a metric that threads do not have. Needs
 * keep_threads. Free `times` in any case.
 */
int heddle__path_times_make(struct heddle_path_times *times, const struct profile_measurement *measurement,
	const struct profile_view *view, enum heddle_metric metric);
void heddle__path_times_free(struct heddle_path_times *times);

#endif
