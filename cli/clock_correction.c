/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the effect of a correction in words. */
#include "cli/clock_correction.h"

#include "cli/base/terminal.h"

#include <stdio.h>

void heddle__correction_text(
	char *text, size_t size, const struct profile_trace *trace, const struct profile_trace_correction *correction)
{
	char moved[32], events[32], largest[32], before[32], after[32], checked[32];
	struct profile_trace_violations found = profile_trace_all_violations(&correction->before),
					left = profile_trace_all_violations(&correction->after);
	heddle__format_count(checked, sizeof(checked), found.checked);
	if (trace->machine_count < 2)
		snprintf(text, size, "clocks: one machine, nothing to correct");
	else if (!found.checked)
		snprintf(text, size, "clocks: not corrected, the trace has no causes and effects to check");
	else if (!found.violated)
		snprintf(text, size, "clocks: no event moved, none of %s effects came before its cause", checked);
	else
		snprintf(text, size,
			"clocks: %s of %s events moved, by %s at most: %s of %s effects came before their causes, %s "
			"do now",
			heddle__format_count(moved, sizeof(moved), correction->moved),
			heddle__format_count(events, sizeof(events), correction->events),
			heddle__format_time(largest, sizeof(largest), correction->largest_ns),
			heddle__format_count(before, sizeof(before), found.violated), checked,
			heddle__format_count(after, sizeof(after), left.violated));
}
