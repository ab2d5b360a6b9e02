/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replaces a measurement's values by those of a part of its trace. They are made as messages, as if read from files,
 * and summed up in the same way. Nothing is changed until all of them have been made.
 */
#include "profile/base/errors.h"
#include "profile/base/intern.h"
#include "profile/base/parallel.h"
#include "profile/trace/trace_sum.h"

#include <stdlib.h>
#include <string.h>

struct selecting {
	struct profile_measurement *measurement;
	const struct profile_trace *trace;
	const struct profile_trace_part_list *lists; /* NULL: all threads have `one` */
	const struct profile_trace_part_list *one;
	Heddle__Profile__Thread **messages; /* by thread of the trace */
	uint64_t *measured_ns;
	struct profile_distributions *distributions; /* by worker; with nodes and strings of the measurement */
};

/* ---- messages ---- */

/* A message and its contents can be freed as if it had been unpacked. */
static Heddle__Profile__Thread *new_message(const struct profile_thread *row)
{
	Heddle__Profile__Thread *message = malloc(sizeof(*message));
	if (!message)
		return NULL;
	heddle__profile__thread__init(message);
	message->threads = row ? row->threads : 0;
	message->role = strdup(row ? row->role : "");
	if (message->role)
		return message;
	free(message);
	return NULL;
}

static size_t count_values(const uint64_t *of, size_t count)
{
	size_t found = 0;
	for (size_t i = 0; i < count; i++)
		found += of[i] != 0;
	return found;
}

static int add_column(Heddle__Profile__Thread *message, uint32_t metric, const uint64_t *of, size_t count)
{
	Heddle__Profile__Column *column = malloc(sizeof(*column));
	size_t found = count_values(of, count);
	if (!column)
		return -ENOMEM;
	heddle__profile__column__init(column);
	message->columns[message->n_columns++] = column;
	column->metric = metric;
	column->node = calloc(found + 1, sizeof(*column->node));
	column->value = calloc(found + 1, sizeof(*column->value));
	if (!column->node || !column->value)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		if (!of[i])
			continue;
		column->node[column->n_node++] = (uint32_t)i;
		column->value[column->n_value++] = of[i];
	}
	return 0;
}

static int add_columns(Heddle__Profile__Thread *message, const struct profile_trace_values *values)
{
	message->columns = calloc(HEDDLE_METRIC_LIMIT, sizeof(*message->columns));
	int error = message->columns ? 0 : -ENOMEM;
	for (uint32_t m = 0; !error && m < HEDDLE_METRIC_LIMIT; m++)
		if (values->of[m])
			error = add_column(message, m, values->of[m], values->node_count);
	return error;
}

/* ---- one thread ---- */

static uint32_t tree_node(const struct profile_trace_file *file, uint32_t node)
{
	while (file->map[node] == HEDDLE_NO_NODE && node)
		node = file->parents[node];
	return file->map[node];
}

/* Returns the number of a text in the measurement's tree + 1; 0: none. */
static uint32_t tree_text(const struct selecting *all, const struct profile_trace_file *file, uint32_t text)
{
	const char *string = text ? file->process->info->strings[text - 1] : NULL;
	if (!string)
		return 0;
	uint32_t found = profile_intern_find(&all->measurement->tree.string_keys, string, strlen(string));
	return found == HEDDLE_INTERN_NONE ? 0 : found + 1;
}

static int add_distributions(struct profile_distributions *to, const struct selecting *all,
	const struct profile_trace_file *file, const struct profile_distributions *from)
{
	int error = 0;
	for (size_t i = 0; !error && i < from->count; i++) {
		struct profile_distribution one = from->items[i];
		one.node = tree_node(file, one.node);
		one.text = tree_text(all, file, one.text);
		if (one.node != HEDDLE_NO_NODE)
			error = profile_distributions_add(to, &one);
	}
	return error;
}

static int read_thread(void *context, size_t worker, size_t index)
{
	struct selecting *all = context;
	struct profile_trace_sum sum;
	const struct profile_trace_thread *thread = &all->trace->threads[index];
	const struct profile_trace_file *file = &all->trace->files[thread->file];
	int error = profile_trace_add_up(&sum, all->trace, index, all->lists ? &all->lists[index] : all->one);
	if (error == -HEDDLE_CORRUPTED)
		error = 0;
	profile_trace_fold(&sum.values, file);
	profile_trace_convert(&sum.values, file);
	all->measured_ns[index] = sum.values.measured_ns;
	all->messages[index] = new_message(thread->row);
	if (!error)
		error = all->messages[index] ? add_columns(all->messages[index], &sum.values) : -ENOMEM;
	if (!error)
		error = add_distributions(&all->distributions[worker], all, file, &sum.distributions);
	profile_trace_sum_free(&sum);
	return error;
}

/* ---- replacing ---- */

/* Gives every row a message, which is empty without a trace. */
static int give_rows(struct selecting *all)
{
	for (size_t p = 0; p < all->measurement->process_count; p++) {
		struct profile_process *process = &all->measurement->processes[p];
		for (size_t t = 0; !process->error && t < process->thread_count; t++) {
			struct profile_thread *row = &process->threads[t];
			profile_thread_forget_values(row);
			row->samples = row->samples_in_heddle = row->cpu_ns = row->wall_ns = 0;
			row->part = new_message(row);
			if (!row->part)
				return -ENOMEM;
		}
		process->parted = !process->error;
	}
	return 0;
}

static void take_messages(struct selecting *all)
{
	for (size_t t = 0; t < all->trace->thread_count; t++) {
		/* The row is part of the measurement, which may be changed here. */
		struct profile_thread *row = (struct profile_thread *)all->trace->threads[t].row;
		if (!row)
			continue;
		heddle__profile__thread__free_unpacked(row->part, NULL);
		row->part = all->messages[t];
		row->wall_ns = all->measured_ns[t];
		all->messages[t] = NULL;
	}
}

static int sum_column(struct profile_call_tree *tree, struct profile_thread *row, const struct profile_process *process,
	const Heddle__Profile__Column *column, const uint8_t *states)
{
	uint64_t *sums = profile_call_tree_values(tree, column->metric);
	uint64_t *mine = profile_thread_values_by_state(row, column->metric);
	if (!sums || !mine)
		return -ENOMEM;
	for (size_t i = 0; i < column->n_node; i++) {
		uint32_t node = process->map[column->node[i]];
		sums[node] += column->value[i];
		mine[states[node]] += column->value[i];
	}
	return 0;
}

static int sum_row(struct profile_call_tree *tree, struct profile_thread *row, const struct profile_process *process,
	const uint8_t *states)
{
	int error = 0;
	for (size_t c = 0; !error && c < row->part->n_columns; c++)
		error = sum_column(tree, row, process, row->part->columns[c], states);
	row->samples = profile_thread_total(row, HEDDLE_METRIC_SAMPLES);
	row->cpu_ns = profile_thread_total(row, HEDDLE_METRIC_CPU_TIME);
	return error ? error : profile_thread_derive(row);
}

/* Clears what is known only for the whole run; the rest becomes the sum of the rows. */
static void sum_process(struct profile_process *process)
{
	Heddle__Profile__Process *info = process->info;
	info->samples_taken = info->samples_late = info->samples_paused = info->cpu_ns = 0;
	for (size_t t = 0; t < process->thread_count; t++) {
		info->samples_taken += process->threads[t].samples;
		info->cpu_ns += process->threads[t].cpu_ns;
	}
	for (size_t s = 0; s < info->n_sample_sources; s++)
		heddle__profile__sample_source__free_unpacked(info->sample_sources[s], NULL);
	info->n_sample_sources = 0;
}

static int sum_up(struct profile_measurement *measurement)
{
	struct profile_call_tree *tree = &measurement->tree;
	uint8_t *states = malloc(tree->node_count);
	int error = states ? 0 : -ENOMEM;
	if (states)
		profile_call_tree_states(tree, states);
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
		free(tree->values[m]);
		tree->values[m] = NULL;
	}
	for (size_t p = 0; !error && p < measurement->process_count; p++) {
		struct profile_process *process = &measurement->processes[p];
		for (size_t t = 0; !error && !process->error && t < process->thread_count; t++)
			error = sum_row(tree, &process->threads[t], process, states);
		if (!process->error)
			sum_process(process);
	}
	free(states);
	return error ? error : profile_call_tree_derive(tree);
}

static int replace_distributions(struct selecting *all, size_t workers)
{
	struct profile_distributions *to = &all->measurement->tree.distributions;
	bool sorted = to->count && !to->index.size;
	int error = 0;
	profile_distributions_free(to);
	for (size_t w = 0; w < workers; w++)
		for (size_t i = 0; !error && i < all->distributions[w].count; i++)
			error = profile_distributions_add(to, &all->distributions[w].items[i]);
	if (sorted)
		profile_distributions_sort(to);
	return error;
}

/* Returns the longest total of a thread's parts. */
static uint64_t length_of(const struct selecting *all)
{
	uint64_t longest = 0;
	for (size_t t = 0; t < (all->lists ? all->trace->thread_count : 1); t++) {
		const struct profile_trace_part_list *list = all->lists ? &all->lists[t] : all->one;
		uint64_t length = 0;
		for (size_t i = 0; i < list->count; i++) {
			uint64_t end =
				list->items[i].to_ns < all->trace->end_ns ? list->items[i].to_ns : all->trace->end_ns;
			length += end > list->items[i].from_ns ? end - list->items[i].from_ns : 0;
		}
		longest = length > longest ? length : longest;
	}
	return longest;
}

/* The part is one span: processes that started later get the span of the first. */
static void replace_span(struct profile_measurement *measurement, uint64_t length)
{
	uint64_t start = UINT64_MAX;
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (!process->error && process->info->start_unix_ns < start)
			start = process->info->start_unix_ns;
	}
	for (size_t p = 0; p < measurement->process_count; p++) {
		Heddle__Profile__Process *info = measurement->processes[p].info;
		if (measurement->processes[p].error)
			continue;
		info->start_unix_ns = start;
		info->duration_ns = length;
	}
}

static int replace(struct selecting *all, size_t workers)
{
	int error = give_rows(all);
	if (error)
		return error;
	take_messages(all);
	replace_span(all->measurement, length_of(all));
	error = sum_up(all->measurement);
	return error ? error : replace_distributions(all, workers);
}

static int select_all(struct selecting *all)
{
	size_t workers = profile_processors(), count = all->trace->thread_count;
	all->messages = calloc(count + 1, sizeof(*all->messages));
	all->measured_ns = calloc(count + 1, sizeof(*all->measured_ns));
	all->distributions = calloc(workers + 1, sizeof(*all->distributions));
	int error = all->messages && all->measured_ns && all->distributions ? 0 : -ENOMEM;
	if (!error)
		error = profile_parallel(workers, count, read_thread, all);
	if (!error)
		error = replace(all, workers);
	for (size_t t = 0; all->messages && t < count; t++)
		if (all->messages[t])
			heddle__profile__thread__free_unpacked(all->messages[t], NULL);
	for (size_t w = 0; all->distributions && w < workers; w++)
		profile_distributions_free(&all->distributions[w]);
	free(all->messages);
	free(all->measured_ns);
	free(all->distributions);
	return error;
}

int profile_trace_select(struct profile_measurement *measurement, const struct profile_trace *trace,
	const struct profile_trace_part *part)
{
	struct profile_trace_part_list list = {part, 1};
	const struct profile_trace_part_list *one = part ? &list : &profile_trace_whole;
	return select_all(&(struct selecting){.measurement = measurement, .trace = trace, .one = one});
}

int profile_trace_select_lists(struct profile_measurement *measurement, const struct profile_trace *trace,
	const struct profile_trace_part_list *lists)
{
	return select_all(&(struct selecting){.measurement = measurement, .trace = trace, .lists = lists});
}
