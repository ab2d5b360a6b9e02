/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums accesses and sketches by loop and variable. */
#include "tune/advise/advice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static double metric_us(const struct profile_measurement *measurement, enum heddle_metric metric)
{
	return (double)profile_measurement_total(measurement, metric) / 1000;
}

static double value(const struct profile_call_tree *tree, enum heddle_metric metric, uint32_t node)
{
	return tree->values[metric] ? (double)tree->values[metric][node] : 0;
}

static bool is_loop(const struct profile_call_tree *tree, uint32_t node)
{
	return tree->nodes[node].kind == HEDDLE_NODE_REGION &&
	       strcmp(tree->events[tree->nodes[node].event].name, "GASP_UPC_FORALL") == 0;
}

uint32_t heddle__loop_around(const struct profile_call_tree *tree, uint32_t node)
{
	while (node && !is_loop(tree, node))
		node = tree->nodes[node].parent;
	return node;
}

/* Finds the row of a loop or access at that place and of that variable, or adds it; the caller has reserved room. */
static struct heddle_advice *find_advice(struct heddle_advices *advices, const struct profile_call_tree *tree,
	uint32_t region, bool in_loop, const char *variable)
{
	const struct profile_node *node = &tree->nodes[region];
	const char *file = "";
	uint32_t line = 0;
	if (profile_place_is_source(node)) {
		file = tree->strings[HEDDLE_SOURCE_FILE(node->place)];
		line = HEDDLE_SOURCE_LINE(node->place);
	}
	for (size_t i = 0; i < advices->count; i++) {
		struct heddle_advice *one = &advices->items[i];
		if (one->line == line && one->in_loop == in_loop && one->file && strcmp(one->file, file) == 0 &&
			strcmp(one->variable, variable) == 0)
			return one;
	}
	advices->items[advices->count] = (struct heddle_advice){.file = file,
		.line = line,
		.variable = variable,
		.objects = {variable},
		.object_count = 1,
		.in_loop = in_loop};
	return &advices->items[advices->count++];
}

static void add_row(
	struct heddle_advices *advices, const struct profile_call_tree *tree, const struct profile_access *row)
{
	uint32_t loop = heddle__loop_around(tree, row->region);
	uint64_t count = row->count[HEDDLE_SIDE_REMOTE];
	if (!count)
		return;
	struct heddle_advice *one = find_advice(advices, tree, loop ? loop : row->region, loop != 0, row->variable);
	double us = (double)row->time_ns / 1000; /* local accesses of the line take a negligible part of it */
	advices->access_us += us;
	if (profile_access_element(row) > one->element_bytes)
		one->element_bytes = profile_access_element(row);
	if ((double)count > one->iterations)
		one->iterations = (double)count;
	if (strcmp(row->event->name, "GASP_UPC_GET") == 0) {
		one->gets += count;
		one->got_us += us;
	} else if (strcmp(row->event->name, "GASP_UPC_PUT") == 0) {
		one->puts += count;
		one->put_us += us;
	} else {
		one->others += count;
		one->others_us += us;
	}
}

static void add_sketch(struct heddle_advices *advices, const struct profile_call_tree *tree,
	const struct profile_accesses *accesses, uint32_t node)
{
	const struct profile_object *object =
		profile_object_find(&accesses->objects, tree->strings[tree->nodes[node].place]);
	if (!object)
		return;
	struct heddle_advice *one = find_advice(advices, tree, tree->nodes[node].parent, true, object->name);
	one->executions += value(tree, HEDDLE_METRIC_LOOP_EXECUTIONS, node);
	one->sketched += value(tree, HEDDLE_METRIC_LOOP_GETS, node) + value(tree, HEDDLE_METRIC_LOOP_PUTS, node);
	one->elements += value(tree, HEDDLE_METRIC_LOOP_ELEMENTS, node);
	one->elements_got += value(tree, HEDDLE_METRIC_LOOP_ELEMENTS_GOT, node);
	one->elements_put += value(tree, HEDDLE_METRIC_LOOP_ELEMENTS_PUT, node);
	one->lines += value(tree, HEDDLE_METRIC_LOOP_LINES, node);
	one->runs += value(tree, HEDDLE_METRIC_LOOP_RUNS, node);
	one->regular += value(tree, HEDDLE_METRIC_LOOP_REGULAR, node);
	one->near += value(tree, HEDDLE_METRIC_LOOP_NEAR, node);
	one->far += value(tree, HEDDLE_METRIC_LOOP_FAR, node);
	one->farther += value(tree, HEDDLE_METRIC_LOOP_FARTHER, node);
}

static bool is_sketch(const struct profile_call_tree *tree, uint32_t node)
{
	return tree->nodes[node].kind == HEDDLE_NODE_OBJECT && is_loop(tree, tree->nodes[node].parent) &&
	       value(tree, HEDDLE_METRIC_LOOP_EXECUTIONS, node) > 0;
}

/* The bytes of one execution of an allocation, or 0 for others. All threads call upc_all_alloc together. */
static double allocated(const struct profile_call_tree *tree, uint32_t node, unsigned threads)
{
	const char *event =
		tree->nodes[node].kind == HEDDLE_NODE_REGION ? tree->events[tree->nodes[node].event].name : "";
	double visits = value(tree, HEDDLE_METRIC_VISITS, node);
	if (strcmp(event, "GASP_UPC_ALL_ALLOC") == 0)
		visits /= threads;
	else if (strcmp(event, "GASP_UPC_GLOBAL_ALLOC") != 0)
		return 0;
	return visits > 0 ? value(tree, HEDDLE_METRIC_SHARED_BYTES, node) / visits : 0;
}

static bool is_allocated_at(const struct profile_object *object, const struct profile_call_tree *tree, uint32_t node)
{
	const struct profile_node *at = &tree->nodes[node];
	return object && profile_place_is_source(at) && object->line == HEDDLE_SOURCE_LINE(at->place) &&
	       strcmp(object->file, tree->strings[HEDDLE_SOURCE_FILE(at->place)]) == 0;
}

/* Sets the sizes of arrays in dynamic memory, from what their allocations counted. */
static void add_arrays(
	struct heddle_advices *advices, const struct profile_call_tree *tree, const struct profile_accesses *accesses)
{
	for (uint32_t i = 1; i < tree->node_count; i++) {
		double bytes = allocated(tree, i, advices->threads);
		for (size_t k = 0; bytes > 0 && k < accesses->row_count; k++) {
			uint32_t loop = heddle__loop_around(tree, accesses->rows[k].region);
			if (!loop || !accesses->rows[k].count[HEDDLE_SIDE_REMOTE] ||
				!is_allocated_at(accesses->rows[k].object, tree, i))
				continue;
			struct heddle_advice *one = find_advice(advices, tree, loop, true, accesses->rows[k].variable);
			if (one->element_bytes)
				one->array_elements = bytes / (double)one->element_bytes;
		}
	}
}

/* Adds a node's time to the rows of the innermost loop around it. */
static void add_loop_time(struct heddle_advices *advices, const struct profile_call_tree *tree, uint32_t node)
{
	double us = value(tree, HEDDLE_METRIC_WALL_TIME, node) / 1000;
	uint32_t loop = us > 0 ? heddle__loop_around(tree, node) : 0;
	if (!loop || !profile_place_is_source(&tree->nodes[loop]))
		return;
	uint64_t place = tree->nodes[loop].place;
	for (size_t i = 0; i < advices->count; i++) {
		struct heddle_advice *one = &advices->items[i];
		if (one->in_loop && one->line == HEDDLE_SOURCE_LINE(place) &&
			strcmp(one->file, tree->strings[HEDDLE_SOURCE_FILE(place)]) == 0)
			one->loop_us += us;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct heddle_advice *x = a, *y = b;
	double of_x = x->got_us + x->put_us + x->others_us, of_y = y->got_us + y->put_us + y->others_us;
	if (of_x != of_y)
		return of_x < of_y ? 1 : -1;
	return strcmp(x->variable, y->variable);
}

void heddle__advices_sort(struct heddle_advices *advices)
{
	qsort(advices->items, advices->count, sizeof *advices->items, by_time);
}

static size_t count_sketches(const struct profile_call_tree *tree)
{
	size_t count = 0;
	for (uint32_t i = 1; i < tree->node_count; i++)
		count += is_sketch(tree, i);
	return count;
}

/* The number of UPC threads, at least one. */
static unsigned count_threads(const struct profile_accesses *accesses)
{
	unsigned count = 0;
	for (size_t i = 0; i < accesses->thread_count; i++)
		count += accesses->threads[i].rank != HEDDLE_NO_RANK;
	return count ? count : 1;
}

int heddle__advices_make(struct heddle_advices *advices, const struct profile_measurement *measurement,
	const struct profile_accesses *accesses)
{
	const struct profile_call_tree *tree = &measurement->tree;
	*advices = (struct heddle_advices){.threads = count_threads(accesses)};
	advices->items = calloc(accesses->row_count + count_sketches(tree) + 1, sizeof *advices->items);
	if (!advices->items)
		return -ENOMEM;
	for (size_t i = 0; i < accesses->row_count; i++)
		add_row(advices, tree, &accesses->rows[i]);
	for (uint32_t i = 1; i < tree->node_count; i++)
		if (is_sketch(tree, i))
			add_sketch(advices, tree, accesses, i);
	add_arrays(advices, tree, accesses);
	for (uint32_t i = 1; i < tree->node_count; i++)
		add_loop_time(advices, tree, i);
	for (size_t i = 0; i < accesses->thread_count; i++)
		advices->elapsed_us += (double)accesses->threads[i].wall_ns / 1000;
	advices->waiting_us = metric_us(measurement, HEDDLE_METRIC_WAITING);
	heddle__advices_sort(advices);
	return 0;
}

void heddle__advices_free(struct heddle_advices *advices)
{
	for (size_t i = 0; i < advices->name_count; i++)
		free(advices->names[i]);
	free(advices->names);
	free(advices->items);
	*advices = (struct heddle_advices){0};
}
