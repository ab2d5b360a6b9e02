/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A merged file is a file of one process with one row of threads, which have all sums: a reader that knows no more says
 * the truth about paths. Two kinds of sections say what was merged and how values spread (docs/format.md).
 */
#include "profile/merged_file.h"

#include "profile/errors.h"
#include "profile/section_writer.h"
#include "profile/view.h"

#include <stdlib.h>
#include <string.h>

/* ---- PROCESS and MODULES ---- */

static void add_process(Heddle__Profile__Process *sum, const Heddle__Profile__Process *info)
{
	uint64_t end = info->start_unix_ns + info->duration_ns, sum_end = sum->start_unix_ns + sum->duration_ns;
	if (info->start_unix_ns < sum->start_unix_ns)
		sum->start_unix_ns = info->start_unix_ns;
	sum->duration_ns = (end > sum_end ? end : sum_end) - sum->start_unix_ns;
	sum->cpu_ns += info->cpu_ns;
	sum->samples_taken += info->samples_taken;
	sum->samples_paused += info->samples_paused;
	sum->nodes_dropped += info->nodes_dropped;
	sum->memory_bytes += info->memory_bytes;
	sum->memory_in_use += info->memory_in_use;
	sum->memory_measured |= info->memory_measured;
	if (info->memory_peak > sum->memory_peak) {
		sum->memory_peak = info->memory_peak;
		sum->memory_peak_ns = info->memory_peak_ns;
	}
}

/* What the first process that is good says of itself, with the sums of all. */
static Heddle__Profile__Process sum_up(const struct heddle_measurement *measurement)
{
	Heddle__Profile__Process sum = HEDDLE__PROFILE__PROCESS__INIT;
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct heddle_process *process = &measurement->processes[p];
		if (process->error)
			continue;
		if (!sum.merged)
			sum = *process->info;
		else
			add_process(&sum, process->info);
		sum.merged = true;
	}
	sum.merged = true;
	sum.n_events = sum.n_strings = sum.n_counters = 0;
	return sum;
}

static void put_events(struct heddle_section_writer *writer, const struct heddle_call_tree *tree)
{
	for (size_t i = 0; i < tree->event_count; i++) {
		const struct heddle_event_kind *from = &tree->events[i];
		Heddle__Profile__EventKind kind = HEDDLE__PROFILE__EVENT_KIND__INIT, *pointer = &kind;
		Heddle__Profile__Process piece = HEDDLE__PROFILE__PROCESS__INIT;
		kind.id = (uint32_t)i;
		kind.model = (char *)from->model;
		kind.name = (char *)from->name;
		kind.label = (char *)from->label;
		kind.category = from->category;
		kind.generated = from->generated;
		piece.n_events = 1;
		piece.events = &pointer;
		heddle__writer_put(writer, &piece.base);
	}
}

/* Metrics in the order of the file, which does not depend on which counter was met first. */
struct numbering {
	enum heddle_metric order[HEDDLE_METRIC_LIMIT];
	size_t count;
};

/* What the metric at a place of the order is called in this file. */
static uint32_t number_at(size_t place)
{
	return place < HEDDLE_METRIC_COUNT ? (uint32_t)place
					   : HEDDLE_COUNTER_FIRST + (uint32_t)(place - HEDDLE_METRIC_COUNT);
}

static bool is_stored(uint32_t metric)
{
	return heddle_metric_is_counter(metric) || (metric < HEDDLE_METRIC_STORED && !HEDDLE_METRIC_IS_DERIVED(metric));
}

/* The counters of all processes. */
static void put_counters(
	struct heddle_section_writer *writer, const struct heddle_call_tree *tree, const struct numbering *metrics)
{
	for (size_t i = HEDDLE_METRIC_COUNT; i < metrics->count; i++) {
		Heddle__Profile__Counter counter = HEDDLE__PROFILE__COUNTER__INIT, *pointer = &counter;
		Heddle__Profile__Process piece = HEDDLE__PROFILE__PROCESS__INIT;
		enum heddle_metric metric = metrics->order[i];
		if (!tree->values[metric])
			continue;
		counter.metric = number_at(i);
		counter.name = (char *)heddle_metric_name(metric);
		counter.unit = (char *)heddle_metric_unit(metric);
		counter.meaning = (char *)heddle_metric_meaning(metric);
		piece.n_counters = 1;
		piece.counters = &pointer;
		heddle__writer_put(writer, &piece.base);
	}
}

static void put_process(struct heddle_section_writer *writer, const struct heddle_measurement *measurement,
	const struct numbering *metrics)
{
	const struct heddle_call_tree *tree = &measurement->tree;
	Heddle__Profile__Process sum = sum_up(measurement);
	heddle__writer_begin(writer, HEDDLE_SECTION_PROCESS);
	heddle__writer_put(writer, &sum.base);
	put_events(writer, tree);
	put_counters(writer, tree, metrics);
	for (size_t first = 0; first < tree->string_count; first += HEDDLE_PIECE) {
		Heddle__Profile__Process piece = HEDDLE__PROFILE__PROCESS__INIT;
		size_t left = tree->string_count - first;
		piece.n_strings = left < HEDDLE_PIECE ? left : HEDDLE_PIECE;
		piece.strings = (char **)tree->strings + first;
		heddle__writer_put(writer, &piece.base);
	}
	heddle__writer_end(writer);
}

static void put_modules(struct heddle_section_writer *writer, const struct heddle_call_tree *tree)
{
	heddle__writer_begin(writer, HEDDLE_SECTION_MODULES);
	for (size_t m = 1; m < tree->module_count; m++) {
		const struct heddle_code_module *from = &tree->modules[m];
		Heddle__Profile__Module module = HEDDLE__PROFILE__MODULE__INIT, *pointer = &module;
		Heddle__Profile__ModuleList piece = HEDDLE__PROFILE__MODULE_LIST__INIT;
		module.id = (uint32_t)m;
		module.path = (char *)from->path;
		module.build_id.data = (uint8_t *)from->build_id;
		module.build_id.len = from->build_id_size;
		module.unloaded = from->unloaded;
		module.role = from->role;
		piece.n_modules = 1;
		piece.modules = &pointer;
		heddle__writer_put(writer, &piece.base);
	}
	heddle__writer_end(writer);
}

/* ---- TREE ---- */

/* Room for the rows of a piece. */
struct rows {
	uint32_t words[3][HEDDLE_PIECE];
	union {
		int64_t places[HEDDLE_PIECE];
		uint64_t values[HEDDLE_PIECE];
	};
};

static void put_tree(struct heddle_section_writer *writer, const struct heddle_call_tree *tree, struct rows *rows)
{
	uint64_t before = 0;
	heddle__writer_begin(writer, HEDDLE_SECTION_TREE);
	for (size_t first = 0; first < tree->node_count; first += HEDDLE_PIECE) {
		Heddle__Profile__Tree piece = HEDDLE__PROFILE__TREE__INIT;
		size_t n = 0;
		for (size_t i = first; i < tree->node_count && n < HEDDLE_PIECE; i++, n++) {
			const struct heddle_node *node = &tree->nodes[i];
			rows->words[0][n] = (uint32_t)i - node->parent;
			rows->words[1][n] = node->kind;
			rows->words[2][n] = node->event;
			rows->places[n] = (int64_t)(node->place - before);
			before = node->place;
		}
		piece.n_parent = piece.n_kind = piece.n_event = piece.n_place = n;
		piece.parent = rows->words[0];
		piece.kind = rows->words[1];
		piece.event = rows->words[2];
		piece.place = rows->places;
		heddle__writer_put(writer, &piece.base);
	}
	heddle__writer_end(writer);
}

/* ---- THREAD: the sums ---- */

static void put_column(struct heddle_section_writer *writer, Heddle__Profile__Column *column)
{
	Heddle__Profile__Thread piece = HEDDLE__PROFILE__THREAD__INIT;
	if (column->n_node == 0)
		return;
	column->n_value = column->n_node;
	piece.n_columns = 1;
	piece.columns = &column;
	heddle__writer_put(writer, &piece.base);
	column->n_node = 0;
}

static void put_values(struct heddle_section_writer *writer, const struct heddle_call_tree *tree,
	const uint64_t *values, uint32_t number, struct rows *rows)
{
	Heddle__Profile__Column column = HEDDLE__PROFILE__COLUMN__INIT;
	uint32_t before = 0;
	column.metric = number;
	column.node = rows->words[0];
	column.value = rows->values;
	for (size_t i = 0; i < tree->node_count; i++) {
		if (!values[i])
			continue;
		size_t row = column.n_node++;
		column.node[row] = (uint32_t)i - (row ? before : 0);
		column.value[row] = values[i];
		before = (uint32_t)i;
		if (column.n_node == HEDDLE_PIECE)
			put_column(writer, &column);
	}
	put_column(writer, &column);
}

static void put_distributions(struct heddle_section_writer *writer, struct heddle_distributions *set, bool part)
{
	heddle__distributions_sort(set);
	for (size_t i = 0; i < set->count; i++) {
		const struct heddle_distribution *from = &set->items[i];
		Heddle__Profile__Distribution one = HEDDLE__PROFILE__DISTRIBUTION__INIT, *pointer = &one;
		Heddle__Profile__Thread piece = HEDDLE__PROFILE__THREAD__INIT;
		one.node = from->node;
		one.argument = from->argument;
		one.text = from->text;
		one.count = from->count;
		one.minimum = from->minimum;
		one.maximum = from->maximum;
		one.sum = from->sum;
		one.rest = part ? from->rest : 0;
		one.n_buckets = from->buckets ? HEDDLE_SIZE_BUCKETS : 0;
		one.buckets = from->buckets;
		piece.n_distributions = 1;
		piece.distributions = &pointer;
		heddle__writer_put(writer, &piece.base);
	}
}

static void put_sums(struct heddle_section_writer *writer, struct heddle_measurement *measurement,
	const struct numbering *metrics, bool part, struct rows *rows)
{
	Heddle__Profile__Thread sum = HEDDLE__PROFILE__THREAD__INIT;
	sum.role = (char *)"all threads";
	sum.openmp_number = -1;
	sum.samples = heddle_measurement_total(measurement, HEDDLE_METRIC_SAMPLES);
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct heddle_process *process = &measurement->processes[p];
		for (size_t t = 0; t < process->thread_count; t++) {
			sum.threads += process->threads[t].threads ? process->threads[t].threads : 1;
			sum.wall_ns += process->threads[t].wall_ns;
			sum.cpu_ns += process->threads[t].cpu_ns;
		}
	}
	heddle__writer_begin(writer, HEDDLE_SECTION_THREAD);
	heddle__writer_put(writer, &sum.base);
	for (size_t i = 0; i < metrics->count; i++) {
		const uint64_t *values = measurement->tree.values[metrics->order[i]];
		if (values && is_stored(metrics->order[i]))
			put_values(writer, &measurement->tree, values, number_at(i), rows);
	}
	put_distributions(writer, &measurement->tree.distributions, part);
	heddle__writer_end(writer);
}

/* ---- MEMBER ---- */

static size_t list_states(Heddle__Profile__Column *column, const uint64_t *values, uint32_t *nodes, uint64_t *kept)
{
	uint32_t before = 0;
	for (uint32_t s = 0; s < HEDDLE_STATE_COUNT; s++) {
		if (!values[s])
			continue;
		nodes[column->n_node] = s - before;
		kept[column->n_node++] = values[s];
		before = s;
	}
	column->node = nodes;
	column->value = kept;
	return column->n_value = column->n_node;
}

static void put_thread(
	struct heddle_section_writer *writer, const struct heddle_thread *row, const struct numbering *metrics)
{
	Heddle__Profile__Column columns[HEDDLE_METRIC_LIMIT], *pointers[HEDDLE_METRIC_LIMIT];
	uint32_t nodes[HEDDLE_METRIC_LIMIT][HEDDLE_STATE_COUNT];
	uint64_t values[HEDDLE_METRIC_LIMIT][HEDDLE_STATE_COUNT];
	Heddle__Profile__Thread thread = HEDDLE__PROFILE__THREAD__INIT, *pointer = &thread;
	Heddle__Profile__Member piece = HEDDLE__PROFILE__MEMBER__INIT;
	thread.id = row->id;
	thread.tid = row->tid;
	thread.role = row->role;
	thread.name = row->name;
	thread.threads = row->threads;
	thread.openmp_number = row->openmp_number;
	thread.start_ns = row->start_ns;
	thread.end_ns = row->end_ns;
	thread.wall_ns = row->wall_ns;
	thread.cpu_ns = row->cpu_ns;
	thread.samples = row->samples;
	thread.samples_in_heddle = row->samples_in_heddle;
	thread.rank = row->rank;
	for (size_t i = 0; i < metrics->count; i++) {
		const uint64_t *of = row->values[metrics->order[i]];
		Heddle__Profile__Column *column = &columns[thread.n_states];
		heddle__profile__column__init(column);
		column->metric = number_at(i);
		pointers[thread.n_states] = column;
		if (of && is_stored(metrics->order[i]) && list_states(column, of, nodes[i], values[i]))
			thread.n_states++;
	}
	thread.states = pointers;
	piece.n_threads = 1;
	piece.threads = &pointer;
	heddle__writer_put(writer, &piece.base);
}

/* Of one process, by the numbers of this file; those that never counted anything are left out. */
static size_t list_counters(const Heddle__Profile__Process *info, const struct numbering *metrics,
	Heddle__Profile__Counter *counters, Heddle__Profile__Counter **pointers)
{
	size_t count = 0;
	for (size_t i = HEDDLE_METRIC_COUNT; i < metrics->count; i++) {
		size_t c = 0;
		while (c < info->n_counters &&
			strcmp(info->counters[c]->name, heddle_metric_name(metrics->order[i])) != 0)
			c++;
		if (c == info->n_counters)
			continue;
		counters[count] = *info->counters[c];
		counters[count].metric = number_at(i);
		pointers[count] = &counters[count];
		count++;
	}
	return count;
}

static void put_member(
	struct heddle_section_writer *writer, const struct heddle_process *process, const struct numbering *metrics)
{
	Heddle__Profile__Process info = *process->info;
	Heddle__Profile__Member piece = HEDDLE__PROFILE__MEMBER__INIT;
	Heddle__Profile__Counter counters[HEDDLE_METRIC_LIMIT], *pointers[HEDDLE_METRIC_LIMIT];
	info.n_events = info.n_strings = 0;
	info.n_counters = list_counters(process->info, metrics, counters, pointers);
	info.counters = pointers;
	piece.file = (char *)heddle_base_name(process->path);
	piece.process = &info;
	heddle__writer_begin(writer, HEDDLE_SECTION_MEMBER);
	heddle__writer_put(writer, &piece.base);
	for (size_t t = 0; t < process->thread_count; t++)
		put_thread(writer, &process->threads[t], metrics);
	heddle__writer_end(writer);
}

/* ---- the whole ---- */

int heddle_merged_write(
	const char *path, struct heddle_measurement *measurement, const struct heddle_merged_options *options)
{
	struct heddle_section_writer writer;
	struct rows *rows = malloc(sizeof(*rows));
	struct numbering metrics;
	if (!rows)
		return -ENOMEM;
	metrics.count = heddle__metric_order(metrics.order);
	heddle__writer_open(&writer, path);
	put_process(&writer, measurement, &metrics);
	put_modules(&writer, &measurement->tree);
	put_tree(&writer, &measurement->tree, rows);
	put_sums(&writer, measurement, &metrics, options->part, rows);
	for (size_t p = 0; p < measurement->process_count; p++)
		if (!measurement->processes[p].error)
			put_member(&writer, &measurement->processes[p], &metrics);
	free(rows);
	if (options->spreads)
		heddle__spreads_write(&writer, options->spreads, options->view, false);
	return heddle__writer_close(&writer);
}
