/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up the visits of hits and misses on each source line. */
#include "profile/view/cached.h"

#include "profile/base/errors.h"

#include <stdlib.h>
#include <string.h>

/* Fills in the row of a node. Returns false for other events. */
static bool read_node(const struct profile_call_tree *tree, uint32_t number, struct profile_cached *row)
{
	const struct profile_node *node = &tree->nodes[number];
	const uint64_t *visits = tree->values[HEDDLE_METRIC_VISITS];
	if (node->kind != HEDDLE_NODE_REGION || !visits || !visits[number])
		return false;
	bool hit = tree->events[node->event].role == HEDDLE_EVENT_HIT;
	if (!hit && tree->events[node->event].role != HEDDLE_EVENT_MISS)
		return false;
	*row = (struct profile_cached){
		.file = "", .hits = hit ? visits[number] : 0, .misses = hit ? 0 : visits[number]};
	if (profile_place_is_source(node)) {
		row->file = tree->strings[HEDDLE_SOURCE_FILE(node->place)];
		row->line = HEDDLE_SOURCE_LINE(node->place);
	}
	return true;
}

static int by_line(const void *a, const void *b)
{
	const struct profile_cached *x = a, *y = b;
	int files = strcmp(x->file, y->file);
	return files ? files : (x->line > y->line) - (x->line < y->line);
}

static int by_gets(const void *a, const void *b)
{
	const struct profile_cached *x = a, *y = b;
	uint64_t first = x->hits + x->misses, second = y->hits + y->misses;
	return first == second ? by_line(a, b) : first < second ? 1 : -1;
}

int profile_cached_make(const struct profile_call_tree *tree, struct profile_cached **rows, size_t *count)
{
	struct profile_cached one;
	size_t found = 0, kept = 0;
	for (uint32_t i = 1; i < tree->node_count; i++)
		found += read_node(tree, i, &one);
	struct profile_cached *all = calloc(found + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	found = 0;
	for (uint32_t i = 1; i < tree->node_count; i++)
		found += read_node(tree, i, &all[found]);
	qsort(all, found, sizeof(*all), by_line);
	for (size_t i = 0; i < found; i++) {
		if (kept && by_line(&all[kept - 1], &all[i]) == 0) {
			all[kept - 1].hits += all[i].hits;
			all[kept - 1].misses += all[i].misses;
		} else {
			all[kept++] = all[i];
		}
	}
	qsort(all, kept, sizeof(*all), by_gets);
	*rows = all;
	*count = kept;
	return 0;
}
