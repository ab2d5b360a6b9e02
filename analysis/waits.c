/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes the results of one pass (profile/trace/) to the tables. */
#include "analysis/waits.h"

int heddle__waits_make(struct heddle_waits *waits, const struct profile_view *view, const struct profile_trace *trace,
	const struct profile_trace_part *part)
{
	struct profile_trace_late found;
	*waits = (struct heddle_waits){0};
	int error = profile_trace_critical_late_make(&waits->critical, &found, trace, part);
	if (!error)
		error = heddle__late_of(&waits->late, view, trace, part, &found);
	profile_trace_late_free(&found);
	if (error)
		heddle__waits_free(waits);
	return error;
}

void heddle__waits_free(struct heddle_waits *waits)
{
	heddle__late_free(&waits->late);
	profile_trace_critical_free(&waits->critical);
}
