/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A merged file is a file of one process with one thread row, which has all sums, so a reader that does not know merged
 * files shows correct paths. Two more kinds of sections describe what was merged, and the spread of values
 * (docs/format.md).
 */
#include "profile/merge/merged_file.h"

#include "profile/base/base_name.h"
#include "profile/base/errors.h"
#include "profile/file/section_writer.h"
#include "profile/view/view.h"

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
	sum->samples_late += info->samples_late;
	sum->nodes_dropped += info->nodes_dropped;
	sum->memory_bytes += info->memory_bytes;
	sum->memory_in_use += info->memory_in_use;
	sum->memory_measured |= info->memory_measured;
	if (info->memory_peak > sum->memory_peak) {
		sum->memory_peak = info->memory_peak;
		sum->memory_peak_ns = info->memory_peak_ns;
	}
}

/* Returns the description of the first readable process, with the sums of all. */
static Heddle__Profile__Process sum_up(const struct profile_measurement *measurement)
{
	Heddle__Profile__Process sum = HEDDLE__PROFILE__PROCESS__INIT;
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (process->error)
			continue;
		if (!sum.merged)
			sum = *process->info;
		else
			add_process(&sum, process->info);
		sum.merged = true;
	}
	sum.merged = true;
	sum.n_models = sum.n_events = sum.n_strings = sum.n_counters = sum.n_sample_sources = 0;
	return sum;
}

static void put_events(struct profile_section_writer *writer, const struct profile_call_tree *tree)
{
	for (size_t i = 0; i < tree->event_count; i++) {
		const struct profile_event_kind *from = &tree->events[i];
		Heddle__Profile__EventKind kind = HEDDLE__PROFILE__EVENT_KIND__INIT, *pointer = &kind;
		Heddle__Profile__Process piece = HEDDLE__PROFILE__PROCESS__INIT;
		kind.id = (uint32_t)i;
		kind.model = (char *)from->model;
		kind.name = (char *)from->name;
		kind.label = (char *)from->label;
		kind.category = from->category;
		kind.generated = from->generated;
		kind.role = from->role;
		piece.n_events = 1;
		piece.events = &pointer;
		profile_writer_put(writer, &piece.base);
	}
}

static void put_models(struct profile_section_writer *writer, const struct profile_models *models)
{
	for (size_t i = 1; i < models->count; i++) {
		const struct profile_model *from = &models->items[i];
		Heddle__Profile__Model model = HEDDLE__PROFILE__MODEL__INIT, *pointer = &model;
		Heddle__Profile__Process piece = HEDDLE__PROFILE__PROCESS__INIT;
		Heddle__Profile__CodeName *names = calloc(from->code_count + 1, sizeof(*names));
		Heddle__Profile__CodeName **pointers = calloc(from->code_count + 1, sizeof(*pointers));
		for (size_t c = 0; names && pointers && c < from->code_count; c++) {
			heddle__profile__code_name__init(&names[c]);
			names[c].kind = from->code[c].kind;
			names[c].pattern = (char *)from->code[c].pattern;
			names[c].shown = (char *)from->code[c].shown;
			pointers[c] = &names[c];
		}
		model.id = (uint32_t)i;
		model.name = (char *)from->name;
		model.label = (char *)from->label;
		model.state = (char *)from->state;
		model.rank = (char *)from->rank;
		model.ranks = (char *)from->ranks;
		model.blocks = from->blocks;
		model.section = (char *)from->section;
		model.generated = (char *)from->generated;
		model.n_code = names && pointers ? from->code_count : 0;
		model.code = pointers;
		piece.n_models = 1;
		piece.models = &pointer;
		profile_writer_put(writer, &piece.base);
		free(names);
		free(pointers);
	}
}

/* Metrics in the order of the file, which does not depend on the order in which counters were found. */
struct numbering {
	enum heddle_metric order[HEDDLE_METRIC_LIMIT];
	size_t count;
};

/* Returns the number, in this file, of the metric at a position of that order. */
static uint32_t number_at(size_t place)
{
	return place < HEDDLE_METRIC_COUNT ? (uint32_t)place
					   : HEDDLE_COUNTER_FIRST + (uint32_t)(place - HEDDLE_METRIC_COUNT);
}

static bool is_stored(uint32_t metric)
{
	return profile_metric_is_counter(metric) || heddle__metric_is_stored(metric);
}

/* Writes the counters of all processes. */
static void put_counters(
	struct profile_section_writer *writer, const struct profile_call_tree *tree, const struct numbering *metrics)
{
	for (size_t i = HEDDLE_METRIC_COUNT; i < metrics->count; i++) {
		Heddle__Profile__Counter counter = HEDDLE__PROFILE__COUNTER__INIT, *pointer = &counter;
		Heddle__Profile__Process piece = HEDDLE__PROFILE__PROCESS__INIT;
		enum heddle_metric metric = metrics->order[i];
		if (!tree->values[metric])
			continue;
		counter.metric = number_at(i);
		counter.name = (char *)profile_metric_name(metric);
		counter.unit = (char *)profile_metric_unit(metric);
		counter.meaning = (char *)profile_metric_meaning(metric);
		piece.n_counters = 1;
		piece.counters = &pointer;
		profile_writer_put(writer, &piece.base);
	}
}

static void put_process(struct profile_section_writer *writer, const struct profile_measurement *measurement,
	const struct numbering *metrics)
{
	const struct profile_call_tree *tree = &measurement->tree;
	Heddle__Profile__Process sum = sum_up(measurement);
	profile_writer_begin(writer, HEDDLE_SECTION_PROCESS);
	profile_writer_put(writer, &sum.base);
	put_models(writer, &tree->models);
	put_events(writer, tree);
	put_counters(writer, tree, metrics);
	for (size_t first = 0; first < tree->string_count; first += HEDDLE_PIECE) {
		Heddle__Profile__Process piece = HEDDLE__PROFILE__PROCESS__INIT;
		size_t left = tree->string_count - first;
		piece.n_strings = left < HEDDLE_PIECE ? left : HEDDLE_PIECE;
		piece.strings = (char **)tree->strings + first;
		profile_writer_put(writer, &piece.base);
	}
	profile_writer_end(writer);
}

static void put_modules(struct profile_section_writer *writer, const struct profile_call_tree *tree)
{
	profile_writer_begin(writer, HEDDLE_SECTION_MODULES);
	for (size_t m = 1; m < tree->module_count; m++) {
		const struct profile_code_module *from = &tree->modules[m];
		Heddle__Profile__Module module = HEDDLE__PROFILE__MODULE__INIT, *pointer = &module;
		Heddle__Profile__ModuleList piece = HEDDLE__PROFILE__MODULE_LIST__INIT;
		module.id = (uint32_t)m;
		module.path = (char *)from->path;
		module.build_id.data = (uint8_t *)from->build_id;
		module.build_id.len = from->build_id_size;
		module.unloaded = from->unloaded;
		module.role = from->role;
		module.model = from->model;
		piece.n_modules = 1;
		piece.modules = &pointer;
		profile_writer_put(writer, &piece.base);
	}
	profile_writer_end(writer);
}

/* ---- TREE ---- */

/* Buffers for the rows of a piece. */
struct rows {
	uint32_t words[3][HEDDLE_PIECE];
	union {
		int64_t places[HEDDLE_PIECE];
		uint64_t values[HEDDLE_PIECE];
	};
};

static void put_tree(struct profile_section_writer *writer, const struct profile_call_tree *tree, struct rows *rows)
{
	uint64_t before = 0;
	profile_writer_begin(writer, HEDDLE_SECTION_TREE);
	for (size_t first = 0; first < tree->node_count; first += HEDDLE_PIECE) {
		Heddle__Profile__Tree piece = HEDDLE__PROFILE__TREE__INIT;
		size_t n = 0;
		for (size_t i = first; i < tree->node_count && n < HEDDLE_PIECE; i++, n++) {
			const struct profile_node *node = &tree->nodes[i];
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
		profile_writer_put(writer, &piece.base);
	}
	profile_writer_end(writer);
}

/* ---- THREAD: the sums ---- */

static void put_column(struct profile_section_writer *writer, Heddle__Profile__Column *column)
{
	Heddle__Profile__Thread piece = HEDDLE__PROFILE__THREAD__INIT;
	if (column->n_node == 0)
		return;
	column->n_value = column->n_node;
	piece.n_columns = 1;
	piece.columns = &column;
	profile_writer_put(writer, &piece.base);
	column->n_node = 0;
}

static void put_values(struct profile_section_writer *writer, const struct profile_call_tree *tree,
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

static void put_distributions(struct profile_section_writer *writer, struct profile_distributions *set, bool part)
{
	profile_distributions_sort(set);
	for (size_t i = 0; i < set->count; i++) {
		const struct profile_distribution *from = &set->items[i];
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
		profile_writer_put(writer, &piece.base);
	}
}

static void put_sums(struct profile_section_writer *writer, struct profile_measurement *measurement,
	const struct numbering *metrics, bool part, struct rows *rows)
{
	Heddle__Profile__Thread sum = HEDDLE__PROFILE__THREAD__INIT;
	sum.role = (char *)"all threads";
	sum.number = -1;
	sum.samples = profile_measurement_total(measurement, HEDDLE_METRIC_SAMPLES);
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		for (size_t t = 0; t < process->thread_count; t++) {
			sum.threads += process->threads[t].threads ? process->threads[t].threads : 1;
			sum.wall_ns += process->threads[t].wall_ns;
			sum.cpu_ns += process->threads[t].cpu_ns;
		}
	}
	profile_writer_begin(writer, HEDDLE_SECTION_THREAD);
	profile_writer_put(writer, &sum.base);
	for (size_t i = 0; i < metrics->count; i++) {
		const uint64_t *values = measurement->tree.values[metrics->order[i]];
		if (values && is_stored(metrics->order[i]))
			put_values(writer, &measurement->tree, values, number_at(i), rows);
	}
	put_distributions(writer, &measurement->tree.distributions, part);
	profile_writer_end(writer);
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

static void put_thread(struct profile_section_writer *writer, const struct profile_thread *row,
	const struct profile_call_tree *tree, const struct numbering *metrics)
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
	thread.number = row->number;
	thread.start_ns = row->start_ns;
	thread.end_ns = row->end_ns;
	thread.wall_ns = row->wall_ns;
	thread.cpu_ns = row->cpu_ns;
	thread.samples = row->samples;
	thread.samples_in_heddle = row->samples_in_heddle;
	thread.rank = row->rank;
	thread.model = profile_models_find(&tree->models, row->model);
	thread.rank_model = profile_models_find(&tree->models, row->rank_model);
	for (size_t i = 0; i < metrics->count; i++) {
		const uint64_t *of = row->values ? row->values[metrics->order[i]] : NULL;
		Heddle__Profile__Column *column = &columns[thread.n_states];
		heddle__profile__column__init(column);
		column->metric = number_at(i);
		pointers[thread.n_states] = column;
		if (of && is_stored(metrics->order[i]) && list_states(column, of, nodes[i], values[i]))
			thread.n_states++;
	}
	thread.states = pointers;
	if (row->partners.count)
		thread.partners = profile_partners_encode(&row->partners, tree);
	if (row->exchanges.count)
		thread.exchanges = profile_exchanges_encode(&row->exchanges, tree);
	if ((row->partners.count && !thread.partners) || (row->exchanges.count && !thread.exchanges))
		writer->error = writer->error ? writer->error : -ENOMEM;
	piece.n_threads = 1;
	piece.threads = &pointer;
	profile_writer_put(writer, &piece.base);
	if (thread.partners)
		heddle__profile__partners__free_unpacked(thread.partners, NULL);
	if (thread.exchanges)
		heddle__profile__exchanges__free_unpacked(thread.exchanges, NULL);
}

/* Lists a process's counters by their numbers in this file, without those that never counted anything. */
static size_t list_counters(const Heddle__Profile__Process *info, const struct numbering *metrics,
	Heddle__Profile__Counter *counters, Heddle__Profile__Counter **pointers)
{
	size_t count = 0;
	for (size_t i = HEDDLE_METRIC_COUNT; i < metrics->count; i++) {
		size_t c = 0;
		while (c < info->n_counters &&
			strcmp(info->counters[c]->name, profile_metric_name(metrics->order[i])) != 0)
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

static void put_member(struct profile_section_writer *writer, const struct profile_process *process,
	const struct profile_call_tree *tree, const struct numbering *metrics)
{
	Heddle__Profile__Process info = *process->info;
	Heddle__Profile__Member piece = HEDDLE__PROFILE__MEMBER__INIT;
	Heddle__Profile__Counter counters[HEDDLE_METRIC_LIMIT], *pointers[HEDDLE_METRIC_LIMIT];
	info.n_models = info.n_events = info.n_strings = 0;
	info.n_counters = list_counters(process->info, metrics, counters, pointers);
	info.counters = pointers;
	piece.file = (char *)profile_base_name(process->path);
	piece.process = &info;
	profile_writer_begin(writer, HEDDLE_SECTION_MEMBER);
	profile_writer_put(writer, &piece.base);
	for (size_t t = 0; t < process->thread_count; t++)
		put_thread(writer, &process->threads[t], tree, metrics);
	profile_writer_end(writer);
}

/* ---- the file ---- */

int profile_merged_write(
	const char *path, struct profile_measurement *measurement, const struct profile_merged_options *options)
{
	struct profile_section_writer writer;
	struct rows *rows = malloc(sizeof(*rows));
	struct numbering metrics;
	if (!rows)
		return -ENOMEM;
	metrics.count = profile_metric_order(metrics.order);
	profile_writer_open(&writer, path);
	put_process(&writer, measurement, &metrics);
	put_modules(&writer, &measurement->tree);
	put_tree(&writer, &measurement->tree, rows);
	put_sums(&writer, measurement, &metrics, options->part, rows);
	for (size_t p = 0; p < measurement->process_count; p++)
		if (!measurement->processes[p].error)
			put_member(&writer, &measurement->processes[p], &measurement->tree, &metrics);
	free(rows);
	if (options->spreads)
		profile_spreads_write(&writer, options->spreads, options->view, false);
	return profile_writer_close(&writer);
}
