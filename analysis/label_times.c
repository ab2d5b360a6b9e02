/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of times by label. */
#include "analysis/label_times.h"

#include <stdlib.h>

static int by_time(const void *a, const void *b)
{
	const struct heddle_label_time *x = a, *y = b;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return (x->label > y->label) - (x->label < y->label);
}

uint64_t heddle__label_times(
	struct heddle_label_time *times, const struct profile_view *view, const uint64_t *ns, size_t count)
{
	uint64_t total = 0;
	for (uint32_t i = 0; i < view->label_count; i++)
		times[i] = (struct heddle_label_time){0, i};
	for (uint32_t n = 0; n < count; n++) {
		total += ns[n];
		times[view->label_of[profile_view_holder(view, n, HEDDLE_METRIC_WALL_TIME)]].ns += ns[n];
	}
	qsort(times, view->label_count, sizeof(*times), by_time);
	return total;
}
