/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over processes; peaks are not added, as they were at different times. */
#include "analysis/memory.h"

#include "profile/view/system_code.h"

#include <errno.h>
#include <stdlib.h>

struct heddle_memory heddle__memory_of(const struct profile_measurement *measurement)
{
	struct heddle_memory memory = {0};
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (process->error || !process->info->memory_measured)
			continue;
		memory.processes++;
		memory.in_use += process->info->memory_in_use;
		if (!memory.highest || process->info->memory_peak > memory.highest->memory_peak)
			memory.highest = process->info;
	}
	return memory;
}

/* Where a region of an allocation stands: the function above it. */
static uint32_t function_of(const struct profile_view *view, uint32_t node)
{
	while (node && view->labels[view->label_of[node]].kind != HEDDLE_NODE_FRAME)
		node = view->parents[node];
	return profile_user_code(view, node);
}

static int by_bytes(const void *one, const void *other)
{
	const struct heddle_memory_function *a = one, *b = other;
	if (a->allocated != b->allocated)
		return a->allocated < b->allocated ? 1 : -1;
	return a->label < b->label ? -1 : a->label > b->label;
}

int heddle__memory_functions(const struct profile_view *view, struct heddle_memory_function **rows, size_t *count)
{
	const uint64_t *bytes = view->values[HEDDLE_METRIC_ALLOCATED],
		       *blocks = view->values[HEDDLE_METRIC_ALLOCATIONS];
	struct heddle_memory_function *all = calloc(view->label_count + 1, sizeof(*all));
	*rows = all;
	*count = 0;
	if (!all)
		return -ENOMEM;
	for (uint32_t i = 0; bytes && i < view->node_count; i++) {
		struct heddle_memory_function *row = &all[bytes[i] ? view->label_of[function_of(view, i)] : 0];
		row->allocated += bytes[i];
		row->allocations += bytes[i] && blocks ? blocks[i] : 0;
	}
	for (uint32_t label = 0; label < view->label_count; label++) {
		if (!all[label].allocated)
			continue;
		all[*count] = all[label];
		all[(*count)++].label = label;
	}
	qsort(all, *count, sizeof(*all), by_bytes);
	return 0;
}
