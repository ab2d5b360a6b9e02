/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads are read one after the other, so memory does not grow with their number. */
#include "analysis/path_times.h"

#include "profile/base/errors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct adding {
	struct heddle_path_times *times;
	const struct profile_view *view;
	const struct profile_thread *thread; /* whose values are being read; NULL: none */
	uint64_t *own, *total;               /* its values, by node of the view */
};

static void finish_thread(struct adding *add)
{
	struct heddle_path_times *times = add->times;
	size_t count = add->view->node_count;
	memcpy(add->total, add->own, count * sizeof(*add->total));
	for (size_t i = count; i-- > 0;) { /* a parent comes before its children */
		uint64_t own = add->own[i], total = add->total[i];
		if (i)
			add->total[add->view->parents[i]] += total;
		times->own[i] += own;
		times->total[i] += total;
		times->most_own[i] = own > times->most_own[i] ? own : times->most_own[i];
		times->most_total[i] = total > times->most_total[i] ? total : times->most_total[i];
	}
	memset(add->own, 0, count * sizeof(*add->own));
}

static int add_values(void *context, const struct profile_thread_values *values)
{
	struct adding *add = context;
	if (add->thread && values->thread != add->thread)
		finish_thread(add);
	add->thread = values->thread;
	for (size_t i = 0; i < values->count; i++)
		add->own[profile_view_holder(add->view, values->nodes[i], values->metric)] += values->values[i];
	return 0;
}

int heddle__path_times_make(struct heddle_path_times *times, const struct profile_measurement *measurement,
	const struct profile_view *view, enum heddle_metric metric)
{
	size_t room = view->node_count + 1;
	struct adding add = {.times = times,
		.view = view,
		.own = calloc(room, sizeof(*add.own)),
		.total = calloc(room, sizeof(*add.total))};
	*times = (struct heddle_path_times){.own = calloc(room, sizeof(*times->own)),
		.total = calloc(room, sizeof(*times->total)),
		.most_own = calloc(room, sizeof(*times->most_own)),
		.most_total = calloc(room, sizeof(*times->most_total))};
	int error = add.own && add.total && times->own && times->total && times->most_own && times->most_total
			    ? 0
			    : -ENOMEM;
	if (!error)
		error = measurement->merged ? -HEDDLE_MERGED
					    : profile_measurement_threads(measurement, metric, add_values, &add);
	if (!error && add.thread)
		finish_thread(&add);
	free(add.own);
	free(add.total);
	return error;
}

void heddle__path_times_free(struct heddle_path_times *times)
{
	free(times->own);
	free(times->total);
	free(times->most_own);
	free(times->most_total);
	*times = (struct heddle_path_times){0};
}
