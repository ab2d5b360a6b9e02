/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A worker adds up one thread's values over the view in private arrays, then merges the few numbers of each node into
 * shared tables. A lock protects a range of rows.
 */
#include "profile/merge/spread.h"

#include "profile/base/errors.h"
#include "profile/base/parallel.h"
#include "profile/file/code_map.h"
#include "profile/view/view_walk.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LOCKS 64
#define ROWS_A_LOCK_BITS 10

struct worker {
	uint64_t *mine;    /* of the row of threads and the metric at hand, by node; first exclusive, then inclusive */
	uint64_t *numbers; /* the same by label */
	bool *is_touched;
	uint32_t *touched; /* nodes with values of the thread, and all above them */
	size_t touched_count;
	uint32_t together; /* how many threads it is: more than one, one after the other */
	uint32_t threads;  /* all so far */
};

struct reading {
	struct profile_spreads *spreads;
	const struct profile_measurement *files;
	const struct profile_call_tree *tree;
	const struct profile_view *view;
	uint8_t *states; /* of the tree's nodes */
	bool *outermost; /* of the view's */
	struct worker *workers;
	const struct profile_progress *progress;
	atomic_size_t done; /* files */
	pthread_mutex_t locks[LOCKS];
	pthread_mutex_t bad_lock;
	const char *bad;
};

/* ---- tables ---- */

int profile_spreads_start(struct profile_spreads *spreads, const struct profile_view *view,
	const bool metrics[HEDDLE_METRIC_LIMIT], const bool rows[HEDDLE_SPREAD_KINDS])
{
	*spreads = (struct profile_spreads){.rows = {view->node_count, view->label_count}};
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
		for (int k = 0; metrics[m] && k < HEDDLE_SPREAD_KINDS; k++) {
			if (!rows[k])
				continue;
			spreads->of[m][k] = calloc(spreads->rows[k] + 1, sizeof(struct profile_spread));
			if (!spreads->of[m][k])
				return -ENOMEM;
		}
	}
	return 0;
}

void profile_spreads_free(struct profile_spreads *spreads)
{
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++)
		for (int k = 0; k < HEDDLE_SPREAD_KINDS; k++)
			free(spreads->of[m][k]);
	*spreads = (struct profile_spreads){0};
}

static unsigned __int128 squares_of(const struct profile_spread *spread)
{
	return (unsigned __int128)spread->squares_high << 64 | spread->squares;
}

static void set_squares(struct profile_spread *spread, unsigned __int128 squares)
{
	spread->squares = (uint64_t)squares;
	spread->squares_high = (uint64_t)(squares >> 64);
}

struct profile_spread profile_spread_of(uint64_t value, uint32_t threads)
{
	struct profile_spread one = {.least = value, .most = value, .sum = value};
	one.threads = value ? threads : 0;
	one.mean_only = one.threads > 1;
	set_squares(&one, (unsigned __int128)value * value);
	return one;
}

void profile_spread_add(struct profile_spread *to, const struct profile_spread *more)
{
	if (more->threads == 0)
		return;
	if (to->threads == 0 || more->least < to->least)
		to->least = more->least;
	if (more->most > to->most)
		to->most = more->most;
	to->sum += more->sum;
	unsigned __int128 mine = squares_of(to), sum = mine + squares_of(more);
	set_squares(to, sum < mine ? ~(unsigned __int128)0 : sum);
	to->threads += more->threads;
	to->mean_only = to->mean_only || more->mean_only;
}

double profile_spread_mean(const struct profile_spreads *spreads, const struct profile_spread *spread)
{
	return spreads->threads ? (double)spread->sum / spreads->threads : 0;
}

double profile_spread_deviation(const struct profile_spreads *spreads, const struct profile_spread *spread)
{
	if (spreads->threads == 0)
		return 0;
	long double mean = (long double)spread->sum / spreads->threads;
	long double variance = (long double)squares_of(spread) / spreads->threads - mean * mean;
	return variance > 0 ? (double)sqrtl(variance) : 0;
}

double profile_spread_imbalance(const struct profile_spreads *spreads, const struct profile_spread *spread)
{
	return spread->sum ? (double)spread->most * spreads->threads / (double)spread->sum - 1 : 0;
}

uint64_t profile_spread_least(const struct profile_spreads *spreads, const struct profile_spread *spread)
{
	return spread->threads == spreads->threads ? spread->least : 0;
}

/* ---- one thread ---- */

static void add_value(const struct reading *all, struct worker *worker, uint32_t node, uint64_t value)
{
	worker->mine[node] += value;
	for (; !worker->is_touched[node]; node = all->view->parents[node]) {
		worker->is_touched[node] = true;
		worker->touched[worker->touched_count++] = node;
	}
}

static int downwards(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	return (*x < *y) - (*x > *y);
}

/* Visits children before their parents. A thread usually touches most of the tree, or very little of it. */
static void sort_touched(const struct reading *all, struct worker *worker)
{
	size_t count = 0;
	if (worker->touched_count < all->view->node_count / 16) {
		qsort(worker->touched, worker->touched_count, sizeof(*worker->touched), downwards);
		return;
	}
	for (size_t i = all->view->node_count; i-- > 0;)
		if (worker->is_touched[i])
			worker->touched[count++] = (uint32_t)i;
}

/* Rows are often neighbours: the lock is kept while it covers the next one. */
struct rows {
	struct reading *all;
	struct profile_spread *table;
	uint32_t together; /* threads that have the values */
	pthread_mutex_t *held;
};

static void add_row(struct rows *rows, uint32_t row, uint64_t value)
{
	pthread_mutex_t *lock = &rows->all->locks[row >> ROWS_A_LOCK_BITS & (LOCKS - 1)];
	struct profile_spread one = profile_spread_of(value, rows->together);
	if (value == 0)
		return;
	if (lock != rows->held) {
		if (rows->held)
			pthread_mutex_unlock(rows->held);
		pthread_mutex_lock(lock);
		rows->held = lock;
	}
	profile_spread_add(&rows->table[row], &one);
}

static void end_rows(struct rows *rows)
{
	if (rows->held)
		pthread_mutex_unlock(rows->held);
}

static void add_paths(struct reading *all, const struct worker *worker, struct profile_spread *table)
{
	struct rows rows = {.all = all, .table = table, .together = worker->together};
	for (size_t i = 0; i < worker->touched_count; i++)
		add_row(&rows, worker->touched[i], worker->mine[worker->touched[i]]);
	end_rows(&rows);
}

static void add_labels(struct reading *all, struct worker *worker, struct profile_spread *table)
{
	const uint32_t *label_of = all->view->label_of;
	struct rows rows = {.all = all, .table = table, .together = worker->together};
	for (size_t i = 0; i < worker->touched_count; i++)
		if (all->outermost[worker->touched[i]])
			worker->numbers[label_of[worker->touched[i]]] += worker->mine[worker->touched[i]];
	for (size_t i = 0; i < worker->touched_count; i++) {
		uint64_t *number = &worker->numbers[label_of[worker->touched[i]]];
		add_row(&rows, label_of[worker->touched[i]], *number);
		*number = 0;
	}
	end_rows(&rows);
}

static void close_metric(struct reading *all, struct worker *worker, struct profile_spread *const tables[])
{
	sort_touched(all, worker);
	for (size_t i = 0; i < worker->touched_count; i++)
		if (worker->touched[i] != 0)
			worker->mine[all->view->parents[worker->touched[i]]] += worker->mine[worker->touched[i]];
	if (tables[HEDDLE_SPREAD_PATHS])
		add_paths(all, worker, tables[HEDDLE_SPREAD_PATHS]);
	if (tables[HEDDLE_SPREAD_LABELS])
		add_labels(all, worker, tables[HEDDLE_SPREAD_LABELS]);
	for (size_t i = 0; i < worker->touched_count; i++) {
		worker->mine[worker->touched[i]] = 0;
		worker->is_touched[worker->touched[i]] = false;
	}
	worker->touched_count = 0;
}

/* Maps the nodes of a file to the merged tree. */
struct file_map {
	const uint32_t *map;
	uint32_t heddle_node;
};

static int put_value(
	const struct reading *all, struct worker *worker, enum heddle_metric metric, uint32_t node, uint64_t value)
{
	if (value == 0)
		return 0;
	if (node == HEDDLE_NO_NODE)
		return -HEDDLE_INCONSISTENT;
	if (metric != HEDDLE_METRIC_WAITING || profile_state_waits(all->states[node]))
		add_value(all, worker, profile_view_holder(all->view, node, metric), value);
	return 0;
}

static int add_metric(struct reading *all, struct worker *worker, const Heddle__Profile__Thread *thread,
	const struct file_map *file, enum heddle_metric metric)
{
	struct profile_spread *const *tables = all->spreads->of[metric];
	uint32_t stored = metric == HEDDLE_METRIC_WAITING ? HEDDLE_METRIC_WALL_TIME : metric;
	int error = 0;
	if (!tables[HEDDLE_SPREAD_PATHS] && !tables[HEDDLE_SPREAD_LABELS])
		return 0;
	for (size_t c = 0; c < thread->n_columns; c++) {
		const Heddle__Profile__Column *column = thread->columns[c];
		for (size_t i = 0; !error && column->metric == stored && i < column->n_node; i++)
			error = put_value(all, worker, metric, file->map[column->node[i]], column->value[i]);
	}
	if (!error && metric == HEDDLE_METRIC_SAMPLES)
		error = put_value(all, worker, metric, file->map[file->heddle_node], thread->samples_in_heddle);
	close_metric(all, worker, tables);
	return error;
}

static int add_metrics(
	struct reading *all, struct worker *worker, const Heddle__Profile__Thread *thread, const struct file_map *file)
{
	int error = 0;
	if (strcmp(thread->role, "heddle") == 0)
		return 0;
	worker->together = thread->threads ? thread->threads : 1;
	worker->threads += worker->together;
	for (int m = 0; !error && m < HEDDLE_METRIC_LIMIT; m++)
		error = add_metric(all, worker, thread, file, m);
	return error;
}

static int add_thread(struct reading *all, struct worker *worker, const struct profile_file_section *section,
	const struct profile_decoded *decoded, const uint32_t *map)
{
	Heddle__Profile__Thread *thread;
	struct file_map file = {map, decoded->heddle_node};
	int error = profile_decode_thread(section, decoded->process, decoded->heddle_node, &thread);
	if (error)
		return error;
	error = add_metrics(all, worker, thread, &file);
	heddle__profile__thread__free_unpacked(thread, NULL);
	return error;
}

/* Only a tree that is the measurement's own can have been given a part's values. */
static int add_parts(struct reading *all, struct worker *worker, const struct profile_process *process)
{
	struct file_map file = {process->map, (uint32_t)process->map_size - 1};
	int error = 0;
	for (size_t t = 0; !error && t < process->thread_count; t++)
		error = add_metrics(all, worker, process->threads[t].part, &file);
	return error;
}

/* ---- files ---- */

static int add_threads(struct reading *all, struct worker *worker, const struct profile_file *file, const char *path)
{
	struct profile_decoded decoded;
	int error = profile_decode_paths(&decoded, file);
	if (error)
		return error;
	error = profile_code_map_apply(&decoded, path);
	uint32_t *map = error ? NULL : calloc(decoded.tree.node_count, sizeof(*map));
	error = map ? profile_call_tree_locate(all->tree, &decoded.tree, map) : -ENOMEM;
	for (size_t i = 0; !error && i < file->section_count; i++)
		if (file->sections[i].type == HEDDLE_SECTION_THREAD)
			error = add_thread(all, worker, &file->sections[i], &decoded, map);
	free(map);
	profile_decoded_free(&decoded);
	return error;
}

static int start_worker(const struct reading *all, struct worker *worker)
{
	if (worker->touched)
		return 0;
	worker->mine = calloc(all->view->node_count, sizeof(*worker->mine));
	worker->numbers = calloc(all->view->label_count + 1, sizeof(*worker->numbers));
	worker->is_touched = calloc(all->view->node_count, sizeof(*worker->is_touched));
	worker->touched = calloc(all->view->node_count, sizeof(*worker->touched));
	return worker->mine && worker->numbers && worker->is_touched && worker->touched ? 0 : -ENOMEM;
}

static int read_threads(struct reading *all, struct worker *worker, const struct profile_process *process)
{
	struct profile_file file;
	if (process->parted)
		return add_parts(all, worker, process);
	int error = profile_file_open(&file, process->path);
	if (error)
		return error;
	error = add_threads(all, worker, &file, process->path);
	profile_file_close(&file);
	return error;
}

static int read_file(void *context, size_t number, size_t index)
{
	struct reading *all = context;
	const struct profile_process *process = &all->files->processes[index];
	if (process->error)
		return 0;
	int error = process->merged ? -HEDDLE_MERGED : start_worker(all, &all->workers[number]);
	if (!error)
		error = read_threads(all, &all->workers[number], process);
	if (error) {
		pthread_mutex_lock(&all->bad_lock);
		all->bad = process->path;
		pthread_mutex_unlock(&all->bad_lock);
	}
	profile_progress_step(all->progress, "reading threads of files", ++all->done, all->files->process_count);
	return error;
}

static void free_workers(struct reading *all, size_t workers)
{
	for (size_t w = 0; all->workers && w < workers; w++) {
		all->spreads->threads += all->workers[w].threads;
		free(all->workers[w].mine);
		free(all->workers[w].numbers);
		free(all->workers[w].is_touched);
		free(all->workers[w].touched);
	}
	free(all->workers);
}

int profile_spreads_read(struct profile_spreads *spreads, const struct profile_measurement *files,
	const struct profile_call_tree *tree, const struct profile_view *view, size_t workers,
	const struct profile_progress *progress, char **bad_path)
{
	workers = workers ? workers : profile_processors();
	struct reading all = {
		.spreads = spreads,
		.files = files,
		.tree = tree,
		.view = view,
		.progress = progress,
		.states = malloc(tree->node_count + 1),
		.outermost = profile_view_outermost(view),
		.workers = calloc(workers, sizeof(*all.workers)),
		.bad_lock = PTHREAD_MUTEX_INITIALIZER,
	};
	for (int i = 0; i < LOCKS; i++)
		pthread_mutex_init(&all.locks[i], NULL);
	int error = all.states && all.outermost && all.workers ? 0 : -ENOMEM;
	if (!error) {
		profile_call_tree_states(tree, all.states);
		error = profile_parallel(workers, files->process_count, read_file, &all);
	}
	*bad_path = all.bad ? strdup(all.bad) : NULL;
	free_workers(&all, workers);
	free(all.states);
	free(all.outermost);
	return error;
}
