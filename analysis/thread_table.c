/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows by rank and process, with sums of what their threads did. */
#include "analysis/thread_table.h"

#include "analysis/hosts.h"
#include "analysis/text.h"
#include "analysis/thread_names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state while the rows are made. */
struct collection {
	struct heddle_thread_table *table;
	const struct profile_process **processes; /* by rank */
	size_t process_count;
	const struct profile_thread **threads; /* buffer for the threads of a process */
	bool hosts;                            /* there are several: names of processes include their host */
};

/* The threads of a process that have a rank. */
struct ranks {
	const char *model;           /* model that gave the ranks */
	uint32_t first, last, count; /* count 0: `first` is UINT32_MAX */
};

static struct ranks ranks_of(const struct profile_process *process)
{
	struct ranks ranks = {.first = UINT32_MAX};
	for (size_t t = 0; t < process->thread_count; t++) {
		uint32_t rank = process->threads[t].rank;
		if (!profile_thread_is_rank(&process->threads[t]))
			continue;
		ranks.model = process->threads[t].rank_model;
		ranks.first = rank - 1 < ranks.first ? rank - 1 : ranks.first;
		ranks.last = rank - 1 > ranks.last ? rank - 1 : ranks.last;
		ranks.count++;
	}
	return ranks;
}

/* Processes without ranks come last. */
static int by_rank(const void *a, const void *b)
{
	const struct profile_process *const *x = a, *const *y = b;
	uint32_t rank_x = ranks_of(*x).first, rank_y = ranks_of(*y).first;
	if (rank_x != rank_y)
		return rank_x < rank_y ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

static void add_thread(struct heddle_thread_row *row, const struct heddle_thread_table *table,
	const struct profile_process *process, const struct profile_thread *thread)
{
	const uint64_t *values = thread->values ? thread->values[table->metric] : NULL;
	for (int s = 0; values && s < HEDDLE_STATE_COUNT; s++)
		row->states[s] += values[s];
	row->elapsed += heddle__thread_elapsed(thread);
	row->lock_wait += profile_thread_value(thread, HEDDLE_METRIC_WALL_TIME, HEDDLE_STATE_LOCK_WAIT);
	if (!profile_thread_is_worker(thread))
		return;
	uint64_t work = values ? values[HEDDLE_STATE_WORK] : 0;
	row->workers++;
	row->work += work;
	if (row->busiest && work <= row->most)
		return;
	row->most = work;
	row->busiest = thread;
	row->busiest_process = process;
}

static void add_process(
	struct heddle_thread_row *row, const struct heddle_thread_table *table, const struct profile_process *process)
{
	for (size_t t = 0; t < process->thread_count; t++)
		add_thread(row, table, process, &process->threads[t]);
}

static void name_process(struct heddle_thread_row *row, const struct profile_measurement *measurement,
	const struct profile_process *process, bool hosts)
{
	struct ranks ranks = ranks_of(process);
	const char *noun = ranks.count ? profile_models_named(&measurement->tree.models, ranks.model)->ranks : "";
	if (ranks.count == 0)
		snprintf(row->name, sizeof(row->name), "process %" PRIu64, process->info->pid);
	else if (ranks.count == 1)
		snprintf(row->name, sizeof(row->name), "%s %" PRIu32, noun, ranks.first);
	else
		snprintf(row->name, sizeof(row->name), "%ss %" PRIu32 " %s %" PRIu32, noun, ranks.first,
			ranks.last - ranks.first < ranks.count ? "to" : "...", ranks.last);
	size_t used = strlen(row->name);
	if (hosts && *process->info->host)
		snprintf(row->name + used, sizeof(row->name) - used, " on %s", process->info->host);
}

static int rank_first(const void *a, const void *b)
{
	const struct profile_thread *const *x = a, *const *y = b;
	if (profile_thread_is_rank(*x) != profile_thread_is_rank(*y))
		return profile_thread_is_rank(*x) ? -1 : 1;
	if ((*x)->rank != (*y)->rank) /* 0 (no rank) comes last */
		return (*x)->rank - 1 < (*y)->rank - 1 ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

/* The keeper is not a thread of the program: it is shown only if something was charged to it. */
static bool is_shown(const struct heddle_thread_table *table, const struct profile_thread *thread)
{
	return profile_thread_number(thread) || profile_thread_total(thread, table->metric);
}

static size_t list_threads(const struct collection *collection, const struct profile_process *process)
{
	const struct profile_thread **threads = collection->threads;
	size_t count = 0;
	for (size_t t = 0; t < process->thread_count; t++)
		if (profile_thread_number(&process->threads[t]))
			threads[count++] = &process->threads[t];
	qsort(threads, count, sizeof(*threads), rank_first);
	for (size_t t = 0; t < process->thread_count; t++)
		if (!profile_thread_number(&process->threads[t]) && is_shown(collection->table, &process->threads[t]))
			threads[count++] = &process->threads[t];
	return count;
}

/* Appends a row; the table has room for all. */
static struct heddle_thread_row *add_row(struct collection *collection, const struct profile_process *process)
{
	struct heddle_thread_row *row = &collection->table->rows[collection->table->count++];
	*row = (struct heddle_thread_row){.process = process};
	return row;
}

static void add_rows(struct collection *collection, const struct profile_process *process)
{
	struct heddle_thread_table *table = collection->table;
	bool grouped = collection->process_count > 1;
	int indent = grouped ? 2 : 0;
	size_t count = list_threads(collection, process);
	if (grouped) {
		struct heddle_thread_row *sum = add_row(collection, process);
		sum->sum = true;
		name_process(sum, table->measurement, process, collection->hosts);
		add_process(sum, table, process);
	}
	for (size_t t = 0; (!grouped || count > 1) && t < count; t++) {
		struct heddle_thread_row *row = add_row(collection, process);
		row->thread = collection->threads[t];
		snprintf(row->name, sizeof(row->name), "%*s", indent, "");
		heddle__thread_name(row->name + indent, sizeof(row->name) - (size_t)indent, table->measurement, process,
			row->thread);
		add_thread(row, table, process, row->thread);
	}
	/* A process with one thread has one row. */
	if (grouped && count == 1)
		table->rows[table->count - 1].thread = collection->threads[0];
}

static int collect(struct collection *collection)
{
	struct heddle_thread_table *table = collection->table;
	const struct profile_measurement *measurement = table->measurement;
	size_t room = 0, all = 0;
	collection->processes = calloc(measurement->process_count + 1, sizeof(*collection->processes));
	if (!collection->processes)
		return -ENOMEM;
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (process->error)
			continue;
		collection->processes[collection->process_count++] = process;
		room = process->thread_count > room ? process->thread_count : room;
		all += process->thread_count + 1;
		for (size_t t = 0; t < process->thread_count; t++) {
			table->listed += is_shown(table, &process->threads[t]);
			table->thread_count += profile_thread_number(&process->threads[t]);
		}
	}
	qsort(collection->processes, collection->process_count, sizeof(*collection->processes), by_rank);
	collection->threads = calloc(room + 1, sizeof(*collection->threads));
	table->rows = calloc(all + 1, sizeof(*table->rows));
	return collection->threads && table->rows ? 0 : -ENOMEM;
}

struct heddle_thread_row heddle__thread_row_of_all(
	const struct profile_measurement *measurement, enum heddle_metric metric)
{
	const struct heddle_thread_table table = {.metric = metric};
	struct heddle_thread_row all = {.sum = true};
	for (size_t p = 0; p < measurement->process_count; p++)
		if (!measurement->processes[p].error)
			add_process(&all, &table, &measurement->processes[p]);
	return all;
}

struct heddle_thread_row heddle__thread_row_of_job(const struct profile_measurement *measurement,
	enum heddle_metric metric, const struct heddle_jobs *jobs, size_t job)
{
	const struct heddle_thread_table table = {.metric = metric};
	struct heddle_thread_row row = {.sum = true};
	for (size_t p = 0; p < measurement->process_count; p++)
		if (!measurement->processes[p].error && jobs->of_process[p] == job)
			add_process(&row, &table, &measurement->processes[p]);
	return row;
}

int heddle__thread_table_make(
	struct heddle_thread_table *table, const struct profile_measurement *measurement, enum heddle_metric metric)
{
	char count[32];
	*table = (struct heddle_thread_table){.measurement = measurement, .metric = metric};
	struct collection collection = {.table = table, .hosts = heddle__hosts_count(measurement) > 1};
	int error = collect(&collection);
	for (size_t p = 0; !error && p < collection.process_count; p++)
		add_rows(&collection, collection.processes[p]);
	table->all = heddle__thread_row_of_all(measurement, metric);
	snprintf(table->all.name, sizeof(table->all.name), "all %s thread%s",
		heddle__format_count(count, sizeof(count), table->thread_count), table->thread_count == 1 ? "" : "s");
	free(collection.processes);
	free(collection.threads);
	if (error)
		heddle__thread_table_free(table);
	return error;
}

void heddle__thread_table_free(struct heddle_thread_table *table)
{
	free(table->rows);
	*table = (struct heddle_thread_table){0};
}

uint64_t heddle__thread_row_total(const struct heddle_thread_row *row)
{
	uint64_t total = 0;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		total += row->states[s];
	return total;
}

uint64_t heddle__thread_row_waiting(const struct heddle_thread_row *row)
{
	uint64_t waiting = 0;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		waiting += profile_state_waits(s) ? row->states[s] : 0;
	return waiting;
}

double heddle__thread_row_imbalance(const struct heddle_thread_row *row)
{
	return row->work ? 100.0 * ((double)row->most * (double)row->workers / (double)row->work - 1) : 0;
}

bool heddle__thread_table_has_locks(const struct heddle_thread_table *table)
{
	return table->metric == HEDDLE_METRIC_CPU_TIME && table->all.lock_wait;
}

uint64_t heddle__thread_elapsed(const struct profile_thread *thread)
{
	return profile_thread_number(thread) ? thread->wall_ns : 0;
}
