/* SPDX-License-Identifier: BSD-3-Clause */
/* Late arrivals and the critical path together: one pass over a trace for views that show both. */
#ifndef HEDDLE_ANALYSIS_WAITS_H
#define HEDDLE_ANALYSIS_WAITS_H

#include "analysis/late.h"
#include "profile/trace/trace_critical.h"

struct heddle_waits {
	struct heddle_late late;
	struct profile_trace_critical critical;
};

/* Like heddle__late_make and profile_trace_critical_make. 0 or a negative error; then there is nothing to free. */
int heddle__waits_make(struct heddle_waits *waits, const struct profile_view *view, const struct profile_trace *trace,
	const struct profile_trace_part *part);
void heddle__waits_free(struct heddle_waits *waits);

#endif
