/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows are the nodes of accesses: those with counts by side, which only events of accesses have. */
#include "profile/view/accesses.h"

#include "profile/base/errors.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN "[unknown]"

static uint64_t value(const struct profile_call_tree *tree, enum heddle_metric metric, uint32_t node)
{
	return tree->values[metric] ? tree->values[metric][node] : 0;
}

static uint64_t sided(const struct profile_call_tree *tree, uint32_t node)
{
	return value(tree, HEDDLE_METRIC_LOCAL, node) + value(tree, HEDDLE_METRIC_SAME_NODE, node) +
	       value(tree, HEDDLE_METRIC_REMOTE, node);
}

/* True for accesses of unknown side, because the model does not understand the pointers: UPC without a bridge. */
static bool is_unsided(const struct profile_call_tree *tree, uint32_t node)
{
	return tree->nodes[node].kind == HEDDLE_NODE_REGION &&
	       tree->events[tree->nodes[node].event].role == HEDDLE_EVENT_MOVES && !sided(tree, node) &&
	       value(tree, HEDDLE_METRIC_BYTES_GOT, node) + value(tree, HEDDLE_METRIC_BYTES_PUT, node);
}

static bool is_access(const struct profile_call_tree *tree, uint32_t node)
{
	uint8_t kind = tree->nodes[node].kind;
	if (kind == HEDDLE_NODE_OBJECT && tree->nodes[tree->nodes[node].parent].kind != HEDDLE_NODE_REGION)
		return false;
	return (kind == HEDDLE_NODE_OBJECT || kind == HEDDLE_NODE_REGION) &&
	       (sided(tree, node) || is_unsided(tree, node));
}

/* Returns the member of a row that has a metric; NULL: none. */
static uint64_t *member_of(struct profile_access *row, enum heddle_metric metric)
{
	switch (metric) {
	case HEDDLE_METRIC_LOCAL:
		return &row->count[HEDDLE_SIDE_LOCAL];
	case HEDDLE_METRIC_SAME_NODE:
		return &row->count[HEDDLE_SIDE_SAME_NODE];
	case HEDDLE_METRIC_REMOTE:
		return &row->count[HEDDLE_SIDE_REMOTE];
	case HEDDLE_METRIC_SAME_NODE_BYTES:
		return &row->bytes[HEDDLE_SIDE_SAME_NODE];
	case HEDDLE_METRIC_REMOTE_BYTES:
		return &row->bytes[HEDDLE_SIDE_REMOTE];
	case HEDDLE_METRIC_BYTES_GOT:
		return &row->bytes_got;
	case HEDDLE_METRIC_BYTES_PUT:
		return &row->bytes_put;
	case HEDDLE_METRIC_WALL_TIME:
		return &row->time_ns;
	case HEDDLE_METRIC_FLIGHT_TIME:
		return &row->flight_ns;
	default:
		return NULL;
	}
}

static void complete(struct profile_access *row)
{
	uint64_t all = row->bytes_got + row->bytes_put;
	uint64_t others = row->bytes[HEDDLE_SIDE_SAME_NODE] + row->bytes[HEDDLE_SIDE_REMOTE];
	row->bytes[HEDDLE_SIDE_LOCAL] = all > others ? all - others : 0;
}

static void fill_values(struct profile_access *row, const struct profile_call_tree *tree, uint32_t node)
{
	for (int m = 0; m < HEDDLE_METRIC_COUNT; m++) {
		uint64_t *member = member_of(row, (enum heddle_metric)m);
		if (member)
			*member = value(tree, (enum heddle_metric)m, node);
	}
	complete(row);
}

static void fill_row(struct profile_access *row, const struct profile_accesses *all,
	const struct profile_call_tree *tree, uint32_t node)
{
	bool known = tree->nodes[node].kind == HEDDLE_NODE_OBJECT;
	uint32_t region = known ? tree->nodes[node].parent : node;
	const struct profile_node *from = &tree->nodes[region];
	*row = (struct profile_access){.node = node, .region = region, .event = &tree->events[from->event], .file = ""};
	if (profile_place_is_source(from)) {
		row->file = tree->strings[HEDDLE_SOURCE_FILE(from->place)];
		row->line = HEDDLE_SOURCE_LINE(from->place);
	}
	if (known)
		row->object = profile_object_find(&all->objects, tree->strings[tree->nodes[node].place]);
	row->variable = row->object ? row->object->name : UNKNOWN;
	row->unknown = is_unsided(tree, node) ? value(tree, HEDDLE_METRIC_VISITS, node) : 0;
	fill_values(row, tree, node);
}

static uint64_t whole(double size)
{
	return size > 0 && size < 1e18 ? (uint64_t)size : 0;
}

static void fill_sizes(struct profile_accesses *all, const struct profile_call_tree *tree, const uint32_t *row_of)
{
	for (size_t i = 0; i < tree->distributions.count; i++) {
		const struct profile_distribution *one = &tree->distributions.items[i];
		if (one->argument != 0 || !one->count || !row_of[one->node])
			continue;
		struct profile_access *row = &all->rows[row_of[one->node] - 1];
		row->smallest = whole(one->minimum);
		row->largest = whole(one->maximum);
	}
}

static int make_rows(struct profile_accesses *all, const struct profile_call_tree *tree)
{
	size_t count = 0;
	uint32_t *row_of = calloc(tree->node_count + 1, sizeof(*row_of)); /* by node: number of its row + 1 */
	for (uint32_t i = 1; i < tree->node_count; i++)
		count += is_access(tree, i);
	all->rows = calloc(count + 1, sizeof(*all->rows));
	int error = row_of && all->rows ? 0 : -ENOMEM;
	for (uint32_t i = 1; !error && i < tree->node_count; i++) {
		if (!is_access(tree, i))
			continue;
		fill_row(&all->rows[all->row_count++], all, tree, i);
		row_of[i] = (uint32_t)all->row_count;
	}
	if (!error)
		fill_sizes(all, tree, row_of);
	free(row_of);
	return error;
}

/* ---- lines of events without a line: where the program's code calls ---- */

static bool lacks_line(const struct profile_call_tree *tree, const struct profile_access *row)
{
	const struct profile_node *region = &tree->nodes[row->region];
	return region->place && !profile_place_is_source(region);
}

static void take_line(struct profile_access *row, const struct profile_place_name *name)
{
	if (!name)
		return;
	row->file = name->spots[name->count - 1].file;
	row->line = name->spots[name->count - 1].line;
}

static int name_lines(struct profile_accesses *all, const struct profile_call_tree *tree)
{
	struct profile_naming_options options = {0};
	bool *wanted = calloc(tree->node_count + 1, sizeof(*wanted)), any = false;
	if (!wanted)
		return -ENOMEM;
	for (size_t i = 0; i < all->row_count; i++)
		any |= wanted[all->rows[i].region] = lacks_line(tree, &all->rows[i]);
	options.nodes = wanted;
	int error = any ? profile_naming_make(&all->naming, tree, &options) : 0;
	for (size_t i = 0; any && !error && i < all->row_count; i++)
		if (lacks_line(tree, &all->rows[i]))
			take_line(&all->rows[i], all->naming.of_node[all->rows[i].region]);
	free(wanted);
	return error;
}

/* ---- pairs ---- */

static int by_pair(const void *a, const void *b)
{
	const struct profile_pair *x = a, *y = b;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	return strcmp(x->variable, y->variable);
}

static int by_rank(const void *a, const void *b)
{
	const struct profile_access_thread *x = a, *y = b;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

static size_t count_pairs(const struct profile_measurement *measurement, size_t *threads)
{
	size_t count = 0;
	for (size_t p = 0; p < measurement->process_count; p++) {
		*threads += measurement->processes[p].thread_count;
		for (size_t t = 0; t < measurement->processes[p].thread_count; t++)
			count += measurement->processes[p].threads[t].partners.count;
	}
	return count;
}

/* Returns the rank whose accesses a thread makes: its own, or the only rank in its process. */
static uint32_t rank_of(const struct profile_process *process, const struct profile_thread *thread)
{
	uint32_t rank = thread->rank ? thread->rank : process->only_rank;
	return rank ? rank - 1 : HEDDLE_NO_RANK;
}

static void add_thread(
	struct profile_accesses *all, const struct profile_process *process, const struct profile_thread *thread)
{
	uint32_t rank = rank_of(process, thread);
	for (size_t i = 0; i < thread->partners.count; i++) {
		const struct profile_partner *from = &thread->partners.rows[i];
		if (!from->gets && !from->puts)
			continue; /* nothing was counted for this pair */
		struct profile_pair *pair = &all->pairs[all->pair_count++];
		*pair = (struct profile_pair){
			.thread = rank,
			.owner = from->owner,
			.side = from->side,
			.object = profile_object_find(&all->objects, from->variable),
			.gets = from->gets,
			.puts = from->puts,
			.bytes_got = from->bytes_got,
			.bytes_put = from->bytes_put,
			.time_ns = from->time_ns,
		};
		pair->variable = pair->object ? pair->object->name : UNKNOWN;
	}
	if (rank != HEDDLE_NO_RANK)
		all->threads[all->thread_count++] = (struct profile_access_thread){rank, thread->wall_ns};
}

/* Adds up pairs of threads with one rank; the elapsed time is the longest of these threads. */
static void merge_equal(struct profile_accesses *all)
{
	size_t kept = 0, threads = 0;
	for (size_t i = 0; i < all->pair_count; i++) {
		const struct profile_pair *from = &all->pairs[i];
		struct profile_pair *to = kept ? &all->pairs[kept - 1] : NULL;
		if (!to || by_pair(to, from) != 0) {
			all->pairs[kept++] = *from;
			continue;
		}
		to->gets += from->gets;
		to->puts += from->puts;
		to->bytes_got += from->bytes_got;
		to->bytes_put += from->bytes_put;
		to->time_ns += from->time_ns;
	}
	for (size_t i = 0; i < all->thread_count; i++) {
		struct profile_access_thread *to = threads ? &all->threads[threads - 1] : NULL;
		if (!to || to->rank != all->threads[i].rank)
			all->threads[threads++] = all->threads[i];
		else if (to->wall_ns < all->threads[i].wall_ns)
			to->wall_ns = all->threads[i].wall_ns;
	}
	all->pair_count = kept;
	all->thread_count = threads;
}

/* Finds the names of the model that numbers the threads: a measurement has only one. */
static void name_ranks(struct profile_accesses *all, const struct profile_measurement *measurement)
{
	const char *name = NULL;
	for (size_t p = 0; !name && p < measurement->process_count; p++)
		for (size_t t = 0; !name && t < measurement->processes[p].thread_count; t++)
			if (measurement->processes[p].threads[t].rank)
				name = measurement->processes[p].threads[t].rank_model;
	const struct profile_model *model = profile_models_named(&measurement->tree.models, name ? name : "");
	all->rank = *model->rank ? model->rank : "rank";
	all->ranks = *model->ranks ? model->ranks : "rank";
}

static int make_pairs(struct profile_accesses *all, const struct profile_measurement *measurement)
{
	size_t threads = 0, count = count_pairs(measurement, &threads);
	all->pairs = calloc(count + 1, sizeof(*all->pairs));
	all->threads = calloc(threads + 1, sizeof(*all->threads));
	if (!all->pairs || !all->threads)
		return -ENOMEM;
	for (size_t p = 0; p < measurement->process_count; p++)
		for (size_t t = 0; t < measurement->processes[p].thread_count; t++)
			add_thread(all, &measurement->processes[p], &measurement->processes[p].threads[t]);
	qsort(all->pairs, all->pair_count, sizeof(*all->pairs), by_pair);
	qsort(all->threads, all->thread_count, sizeof(*all->threads), by_rank);
	merge_equal(all);
	return 0;
}

int profile_accesses_make(struct profile_accesses *accesses, const struct profile_measurement *measurement)
{
	*accesses = (struct profile_accesses){0};
	int error = profile_objects_make(&accesses->objects, measurement);
	if (!error)
		error = make_rows(accesses, &measurement->tree);
	if (!error)
		error = name_lines(accesses, &measurement->tree);
	name_ranks(accesses, measurement);
	if (!error)
		error = make_pairs(accesses, measurement);
	if (error)
		profile_accesses_free(accesses);
	return error;
}

/* ---- of one thread ---- */

struct one_thread {
	struct profile_accesses *all;
	enum heddle_metric metric;
	uint32_t rank;
	uint32_t *row_of; /* by node: number of its row + 1 */
};

static int add_values(void *context, const struct profile_thread_values *values)
{
	struct one_thread *one = context;
	if (rank_of(values->process, values->thread) != one->rank)
		return 0;
	for (size_t i = 0; i < values->count; i++) {
		uint32_t row = one->row_of[values->nodes[i]];
		if (row)
			*member_of(&one->all->rows[row - 1], one->metric) += values->values[i];
	}
	return 0;
}

static void keep_thread(struct profile_accesses *all, uint32_t rank)
{
	size_t rows = 0, pairs = 0, threads = 0;
	for (size_t i = 0; i < all->row_count; i++) {
		const uint64_t *count = all->rows[i].count;
		complete(&all->rows[i]);
		if (count[HEDDLE_SIDE_LOCAL] + count[HEDDLE_SIDE_SAME_NODE] + count[HEDDLE_SIDE_REMOTE])
			all->rows[rows++] = all->rows[i];
	}
	for (size_t i = 0; i < all->pair_count; i++)
		if (all->pairs[i].thread == rank)
			all->pairs[pairs++] = all->pairs[i];
	for (size_t i = 0; i < all->thread_count; i++)
		if (all->threads[i].rank == rank)
			all->threads[threads++] = all->threads[i];
	all->row_count = rows;
	all->pair_count = pairs;
	all->thread_count = threads;
}

static int take_thread(
	struct profile_accesses *all, const struct profile_measurement *measurement, struct one_thread *one)
{
	int error = 0;
	for (size_t i = 0; i < all->row_count; i++)
		one->row_of[all->rows[i].node] = (uint32_t)i + 1;
	for (int m = 0; !error && m < HEDDLE_METRIC_COUNT; m++) {
		one->metric = (enum heddle_metric)m;
		for (size_t i = 0; i < all->row_count; i++) {
			uint64_t *member = member_of(&all->rows[i], one->metric);
			if (member)
				*member = 0;
		}
		if (member_of(&(struct profile_access){0}, one->metric) && measurement->tree.values[m])
			error = profile_measurement_threads(measurement, one->metric, add_values, one);
	}
	return error;
}

int profile_accesses_make_of(
	struct profile_accesses *accesses, const struct profile_measurement *measurement, uint32_t rank)
{
	struct one_thread one = {accesses, HEDDLE_METRIC_LOCAL, rank, NULL};
	int error = profile_accesses_make(accesses, measurement);
	if (error)
		return error;
	one.row_of = calloc(measurement->tree.node_count + 1, sizeof(*one.row_of));
	error = one.row_of ? take_thread(accesses, measurement, &one) : -ENOMEM;
	free(one.row_of);
	if (error)
		profile_accesses_free(accesses);
	else
		keep_thread(accesses, rank);
	return error;
}

bool profile_accesses_name_variables(const struct profile_accesses *accesses)
{
	for (size_t i = 0; i < accesses->row_count; i++)
		if (accesses->rows[i].object)
			return true;
	for (size_t i = 0; i < accesses->pair_count; i++)
		if (accesses->pairs[i].object)
			return true;
	return false;
}

bool profile_accesses_keep_variable(struct profile_accesses *all, const char *name)
{
	size_t rows = 0, pairs = 0;
	for (size_t i = 0; i < all->row_count; i++)
		rows += strcmp(all->rows[i].variable, name) == 0;
	for (size_t i = 0; i < all->pair_count; i++)
		pairs += strcmp(all->pairs[i].variable, name) == 0;
	if (rows + pairs == 0)
		return false;
	rows = pairs = 0;
	for (size_t i = 0; i < all->row_count; i++)
		if (strcmp(all->rows[i].variable, name) == 0)
			all->rows[rows++] = all->rows[i];
	for (size_t i = 0; i < all->pair_count; i++)
		if (strcmp(all->pairs[i].variable, name) == 0)
			all->pairs[pairs++] = all->pairs[i];
	all->row_count = rows;
	all->pair_count = pairs;
	return true;
}

void profile_accesses_free(struct profile_accesses *accesses)
{
	profile_objects_free(&accesses->objects);
	profile_naming_free(&accesses->naming);
	free(accesses->rows);
	free(accesses->pairs);
	free(accesses->threads);
	*accesses = (struct profile_accesses){0};
}

uint64_t profile_access_element(const struct profile_access *access)
{
	if (access->object && access->object->element_size)
		return access->object->element_size;
	return access->smallest == access->largest ? access->smallest : 0;
}
