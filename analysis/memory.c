/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over processes. Peaks are not added, because they were at different times. */
#include "analysis/memory.h"

#include "profile/view/system_code.h"
#include "profile/view/view_sites.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* Returns the node of the function that contains an allocation's region. */
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

/* ---- by line ---- */

/* Returns a region of the program's code, or the line of the nearest function of the program above it, if any. */
static struct heddle_memory_place place_of(
	const struct profile_view *view, const struct profile_sites *sites, uint32_t site)
{
	uint32_t node = profile_user_place(view, sites->items[site].node);
	if (node == 0 || profile_is_system_code(&view->labels[view->label_of[node]]))
		node = sites->items[site].node;
	while (site && sites->items[site].node != node)
		site = sites->items[site].parent;
	uint32_t label = view->label_of[node];
	bool frame = view->labels[label].kind == HEDDLE_NODE_FRAME;
	return (struct heddle_memory_place){
		.label = label, .file = frame ? sites->items[site].file : NULL, .line = sites->items[site].line};
}

static int by_line(const void *one, const void *other)
{
	const struct heddle_memory_place *a = one, *b = other;
	if (a->label != b->label)
		return a->label < b->label ? -1 : 1;
	int files = a->file && b->file ? strcmp(a->file, b->file) : 0;
	return files || !a->file ? files : (a->line > b->line) - (a->line < b->line);
}

static int by_bytes_of_place(const void *one, const void *other)
{
	const struct heddle_memory_place *a = one, *b = other;
	if (a->allocated != b->allocated)
		return a->allocated < b->allocated ? 1 : -1;
	return by_line(one, other);
}

/* Adds up rows of the same line. Returns the number of rows that remain. */
static size_t add_up(struct heddle_memory_place *rows, size_t count)
{
	size_t kept = 0;
	qsort(rows, count, sizeof(*rows), by_line);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || by_line(&rows[kept - 1], &rows[i]) != 0) {
			rows[kept++] = rows[i];
			continue;
		}
		rows[kept - 1].allocated += rows[i].allocated;
		rows[kept - 1].allocations += rows[i].allocations;
	}
	return kept;
}

int heddle__memory_places(const struct profile_view *view, const struct profile_call_tree *tree,
	const struct profile_naming *naming, struct heddle_memory_place **rows, size_t *count)
{
	const uint64_t *bytes = tree->values[HEDDLE_METRIC_ALLOCATED],
		       *blocks = tree->values[HEDDLE_METRIC_ALLOCATIONS];
	struct profile_sites sites;
	*count = 0;
	*rows = calloc(tree->node_count + 1, sizeof(**rows));
	int error = *rows ? profile_sites_make(&sites, view, tree, naming, false) : -ENOMEM;
	if (error) {
		free(*rows);
		*rows = NULL;
		return error;
	}
	for (uint32_t i = 0; bytes && i < tree->node_count; i++) {
		if (!bytes[i])
			continue;
		struct heddle_memory_place *row = &(*rows)[(*count)++];
		*row = place_of(view, &sites, profile_site_holder(&sites, i, HEDDLE_METRIC_ALLOCATED));
		row->allocated = bytes[i];
		row->allocations = blocks ? blocks[i] : 0;
	}
	*count = add_up(*rows, *count);
	qsort(*rows, *count, sizeof(**rows), by_bytes_of_place);
	profile_sites_free(&sites); /* the naming and the view own the files' texts */
	return 0;
}
