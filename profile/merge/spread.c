/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A worker adds up the values of several threads over the view at once (spread_lanes.h), then merges a few numbers per
 * node into shared tables. Each lock protects ranges of rows.
 */
#include "profile/merge/spread.h"

#include "profile/base/errors.h"
#include "profile/base/parallel.h"
#include "profile/file/code_map.h"
#include "profile/merge/spread_lanes.h"
#include "profile/view/view_walk.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LOCKS 64
#define FILES_MOST PROFILE_LANES /* files that a worker takes at a time */
#define TURNS_A_WORKER 4         /* turns per worker, at least, so that no worker ends much later than the others */
#define ROWS_A_LOCK_BITS 10

/* A thread whose values are to be added, together with others. */
struct at_hand {
	Heddle__Profile__Thread *thread;
	const uint32_t *map; /* from its file's nodes to the merged tree; owned by the worker or the process */
	uint32_t heddle_node;
	bool owned; /* `thread` must be freed */
};

struct worker {
	struct profile_lanes lanes;
	struct at_hand at_hand[PROFILE_LANES]; /* by lane */
	size_t count;
	uint32_t *maps[FILES_MOST]; /* of the current files */
	size_t map_count;
	uint32_t threads; /* in total */
	bool started;
};

struct reading {
	struct profile_spreads *spreads;
	const struct profile_measurement *files;
	const struct profile_call_tree *tree;
	const struct profile_view *view;
	uint8_t *states; /* of the tree's nodes */
	bool *outermost; /* of the view's nodes: profile_view_outermost */
	struct worker *workers;
	size_t a_turn; /* files per turn */
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

/* ---- the current threads ---- */

/* Neighbouring rows often have one lock, so it is released only when the next row has another one. */
struct rows {
	struct reading *all;
	struct profile_spread *table;
	pthread_mutex_t *held;
};

static void add_row(struct rows *rows, uint32_t row, const struct profile_spread *more)
{
	pthread_mutex_t *lock = &rows->all->locks[row >> ROWS_A_LOCK_BITS & (LOCKS - 1)];
	if (lock != rows->held) {
		if (rows->held)
			pthread_mutex_unlock(rows->held);
		pthread_mutex_lock(lock);
		rows->held = lock;
	}
	profile_spread_add(&rows->table[row], more);
}

static void end_rows(struct rows *rows)
{
	if (rows->held)
		pthread_mutex_unlock(rows->held);
}

static void add_paths(struct reading *all, const struct profile_lanes *lanes, struct profile_spread *table)
{
	struct rows rows = {.all = all, .table = table};
	for (size_t i = 0; i < lanes->count; i++) {
		struct profile_spread one = profile_lanes_spread(lanes, profile_lanes_row(lanes, lanes->nodes[i]));
		add_row(&rows, lanes->nodes[i], &one);
	}
	end_rows(&rows);
}

static void add_labels(struct reading *all, struct profile_lanes *lanes, struct profile_spread *table)
{
	struct rows rows = {.all = all, .table = table};
	profile_lanes_sum_labels(lanes);
	for (size_t i = 0; i < lanes->used_count; i++) {
		struct profile_spread one = profile_lanes_spread(lanes, lanes->labels[lanes->used[i]]);
		add_row(&rows, lanes->used[i], &one);
	}
	end_rows(&rows);
}

static int put_value(const struct reading *all, struct profile_lanes *lanes, size_t lane, enum heddle_metric metric,
	uint32_t node, uint64_t value)
{
	if (value == 0)
		return 0;
	if (node == HEDDLE_NO_NODE)
		return -HEDDLE_INCONSISTENT;
	if (metric == HEDDLE_METRIC_WAITING && !profile_state_waits(all->states[node]))
		return 0;
	return profile_lanes_add(lanes, lane, profile_view_holder(all->view, node, metric), value);
}

static int put_thread(const struct reading *all, struct worker *worker, size_t lane, enum heddle_metric metric)
{
	const struct at_hand *at = &worker->at_hand[lane];
	uint32_t stored = metric == HEDDLE_METRIC_WAITING ? HEDDLE_METRIC_WALL_TIME : metric;
	int error = 0;
	for (size_t c = 0; c < at->thread->n_columns; c++) {
		const Heddle__Profile__Column *column = at->thread->columns[c];
		for (size_t i = 0; !error && column->metric == stored && i < column->n_node; i++)
			error = put_value(
				all, &worker->lanes, lane, metric, at->map[column->node[i]], column->value[i]);
	}
	if (!error && metric == HEDDLE_METRIC_SAMPLES)
		error = put_value(
			all, &worker->lanes, lane, metric, at->map[at->heddle_node], at->thread->samples_in_heddle);
	return error;
}

static int add_metric(struct reading *all, struct worker *worker, enum heddle_metric metric)
{
	struct profile_spread *const *tables = all->spreads->of[metric];
	int error = 0;
	if (!tables[HEDDLE_SPREAD_PATHS] && !tables[HEDDLE_SPREAD_LABELS])
		return 0;
	for (size_t lane = 0; !error && lane < worker->count; lane++)
		error = put_thread(all, worker, lane, metric);
	if (!error && worker->lanes.count) {
		profile_lanes_sum(&worker->lanes);
		if (tables[HEDDLE_SPREAD_PATHS])
			add_paths(all, &worker->lanes, tables[HEDDLE_SPREAD_PATHS]);
		if (tables[HEDDLE_SPREAD_LABELS])
			add_labels(all, &worker->lanes, tables[HEDDLE_SPREAD_LABELS]);
	}
	profile_lanes_clear(&worker->lanes);
	return error;
}

/* Adds the values of the current threads, if there are at least `least`. */
static int add_at_hand(struct reading *all, struct worker *worker, size_t least)
{
	int error = 0;
	if (worker->count < least)
		return 0;
	for (int m = 0; !error && m < HEDDLE_METRIC_LIMIT; m++)
		error = add_metric(all, worker, m);
	for (size_t i = 0; i < worker->count; i++)
		if (worker->at_hand[i].owned)
			heddle__profile__thread__free_unpacked(worker->at_hand[i].thread, NULL);
	worker->count = 0;
	return error;
}

static int take_thread(struct reading *all, struct worker *worker, const struct at_hand *thread)
{
	uint32_t together = thread->thread->threads ? thread->thread->threads : 1;
	if (strcmp(thread->thread->role, "heddle") == 0) {
		if (thread->owned)
			heddle__profile__thread__free_unpacked(thread->thread, NULL);
		return 0;
	}
	worker->lanes.together[worker->count] = together;
	worker->threads += together;
	worker->at_hand[worker->count++] = *thread;
	return add_at_hand(all, worker, PROFILE_LANES);
}

/* Takes all threads of a file. map_size includes Heddle's own node, the last one. */
static int take_sections(struct reading *all, struct worker *worker, const struct profile_file *file,
	const Heddle__Profile__Process *info, const uint32_t *map, size_t map_size)
{
	struct at_hand thread = {.map = map, .heddle_node = (uint32_t)map_size - 1, .owned = true};
	int error = 0;
	for (size_t i = 0; !error && i < file->section_count; i++) {
		if (file->sections[i].type != HEDDLE_SECTION_THREAD)
			continue;
		error = profile_decode_thread(&file->sections[i], info, thread.heddle_node, &thread.thread);
		if (!error)
			error = take_thread(all, worker, &thread);
	}
	return error;
}

/*
 * Takes threads that have values of a part of the run. Only the measurement's own tree can have been given such values,
 * so the process's map is valid.
 */
static int take_parts(struct reading *all, struct worker *worker, const struct profile_process *process)
{
	int error = 0;
	for (size_t t = 0; !error && t < process->thread_count; t++)
		error = take_thread(all, worker,
			&(struct at_hand){.thread = process->threads[t].part,
				.map = process->map,
				.heddle_node = (uint32_t)process->map_size - 1});
	return error;
}

/* ---- files ---- */

/* Finds the file's nodes in the merged tree. */
static int locate(struct reading *all, struct worker *worker, const struct profile_file *file, const char *path)
{
	struct profile_decoded decoded;
	int error = profile_decode_paths(&decoded, file);
	if (error)
		return error;
	error = profile_code_map_apply(&decoded, path);
	uint32_t *map = error ? NULL : calloc(decoded.tree.node_count, sizeof(*map));
	if (map)
		worker->maps[worker->map_count++] = map;
	error = map ? profile_call_tree_locate(all->tree, &decoded.tree, map) : error ? error : -ENOMEM;
	if (!error)
		error = take_sections(all, worker, file, decoded.process, map, decoded.tree.node_count);
	profile_decoded_free(&decoded);
	return error;
}

static int take_threads(struct reading *all, struct worker *worker, const struct profile_process *process)
{
	struct profile_file file;
	if (process->parted)
		return take_parts(all, worker, process);
	int error = profile_file_reopen(&file, process->path);
	if (error)
		return error;
	error = process->map ? take_sections(all, worker, &file, process->info, process->map, process->map_size)
			     : locate(all, worker, &file, process->path);
	profile_file_close(&file);
	return error;
}

static int take_process(struct reading *all, struct worker *worker, const struct profile_process *process)
{
	if (process->error)
		return 0;
	int error = process->merged ? -HEDDLE_MERGED : take_threads(all, worker, process);
	if (error) {
		pthread_mutex_lock(&all->bad_lock);
		all->bad = process->path;
		pthread_mutex_unlock(&all->bad_lock);
	}
	profile_progress_step(all->progress, "reading threads of files", ++all->done, all->files->process_count);
	return error;
}

static int start_worker(const struct reading *all, struct worker *worker)
{
	if (worker->started)
		return 0;
	worker->started = true;
	return profile_lanes_start(&worker->lanes, all->view, all->outermost);
}

/* Reads consecutive files. */
static int take_turn(void *context, size_t number, size_t turn)
{
	struct reading *all = context;
	struct worker *worker = &all->workers[number];
	size_t first = turn * all->a_turn, end = first + all->a_turn;
	int error = start_worker(all, worker);
	for (size_t p = first; !error && p < end && p < all->files->process_count; p++)
		error = take_process(all, worker, &all->files->processes[p]);
	int more = add_at_hand(all, worker, 1);
	while (worker->map_count)
		free(worker->maps[--worker->map_count]);
	return error ? error : more;
}

static size_t files_a_turn(size_t files, size_t workers)
{
	size_t most = files / (workers * TURNS_A_WORKER);
	return most < 1 ? 1 : most < FILES_MOST ? most : FILES_MOST;
}

static void free_workers(struct reading *all, size_t workers)
{
	for (size_t w = 0; all->workers && w < workers; w++) {
		all->spreads->threads += all->workers[w].threads;
		profile_lanes_free(&all->workers[w].lanes);
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
		.a_turn = files_a_turn(files->process_count, workers),
		.bad_lock = PTHREAD_MUTEX_INITIALIZER,
	};
	for (int i = 0; i < LOCKS; i++)
		pthread_mutex_init(&all.locks[i], NULL);
	int error = all.states && all.outermost && all.workers ? 0 : -ENOMEM;
	if (!error) {
		profile_call_tree_states(tree, all.states);
		error = profile_parallel(
			workers, (files->process_count + all.a_turn - 1) / all.a_turn, take_turn, &all);
	}
	*bad_path = all.bad ? strdup(all.bad) : NULL;
	free_workers(&all, workers);
	free(all.states);
	free(all.outermost);
	return error;
}
