/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the files of a measurement in parallel. Each worker merges into a tree of its own, without locks; the few trees
 * are merged at the end. With fewer files than processors the threads inside a file are the parallel work instead.
 */
#include "profile/measurement.h"

#include "profile/errors.h"
#include "profile/parallel.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the files ---- */

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);
	return length > tail && strcmp(text + length - tail, end) == 0;
}

static int is_profile(const struct dirent *entry)
{
	return entry->d_name[0] != '.' &&
	       (ends_with(entry->d_name, HEDDLE_FILE_SUFFIX) || ends_with(entry->d_name, HEDDLE_COMPRESSED_SUFFIX));
}

static int list_directory(struct heddle_measurement *measurement)
{
	struct dirent **entries;
	int count = scandir(measurement->path, &entries, is_profile, alphasort), error = 0;
	if (count < 0)
		return -errno;
	measurement->processes = calloc((size_t)count + 1, sizeof(*measurement->processes));
	if (!measurement->processes)
		error = -ENOMEM;
	for (int i = 0; i < count; i++) {
		char **path = error ? NULL : &measurement->processes[measurement->process_count].path;
		if (path && asprintf(path, "%s/%s", measurement->path, entries[i]->d_name) >= 0)
			measurement->process_count++;
		else
			error = -ENOMEM;
		free(entries[i]);
	}
	free(entries);
	return error || count > 0 ? error : -HEDDLE_EMPTY;
}

static int list_files(struct heddle_measurement *measurement)
{
	struct stat status;
	if (stat(measurement->path, &status) != 0)
		return -errno;
	if (S_ISDIR(status.st_mode))
		return list_directory(measurement);
	measurement->processes = calloc(1, sizeof(*measurement->processes));
	if (!measurement->processes || !(measurement->processes[0].path = strdup(measurement->path)))
		return -ENOMEM;
	measurement->process_count = 1;
	return 0;
}

/* ---- reading ---- */

struct load {
	struct heddle_measurement *measurement;
	const struct heddle_load_options *options;
	size_t inner_workers;
	struct heddle_call_tree *trees; /* one a worker */
	uint32_t *tree_of;              /* which worker read a process */
	pthread_mutex_t progress_lock;
	size_t done;
};

static int take(struct load *load, struct heddle_process *process, struct heddle_decoded *decoded, size_t worker)
{
	if (load->options->keep_threads) {
		process->map_size = decoded->tree.node_count;
		process->map = calloc(process->map_size, sizeof(*process->map));
		if (!process->map)
			return -ENOMEM;
	}
	int error = heddle__call_tree_merge(&load->trees[worker], &decoded->tree, process->map);
	if (error)
		return error;
	process->info = decoded->process;
	process->threads = decoded->threads;
	process->thread_count = decoded->thread_count;
	decoded->process = NULL;
	decoded->threads = NULL;
	return 0;
}

static int read_process(struct load *load, struct heddle_process *process, size_t worker)
{
	struct heddle_file file;
	struct heddle_decoded decoded;
	int error = heddle_file_open(&file, process->path);
	if (error)
		return error;
	error = heddle_decode(&decoded, &file, load->inner_workers);
	heddle_file_close(&file);
	if (error)
		return error;
	error = take(load, process, &decoded, worker);
	heddle_decoded_free(&decoded);
	return error;
}

static void report_progress(struct load *load)
{
	pthread_mutex_lock(&load->progress_lock);
	load->done++;
	if (load->options->progress)
		load->options->progress(load->options->progress_context, load->done, load->measurement->process_count);
	pthread_mutex_unlock(&load->progress_lock);
}

/* Only lack of memory stops the others: everything else is the file's own trouble. */
static int read_one(void *context, size_t worker, size_t index)
{
	struct load *load = context;
	struct heddle_process *process = &load->measurement->processes[index];
	process->error = read_process(load, process, worker);
	load->tree_of[index] = (uint32_t)worker;
	report_progress(load);
	return process->error == -ENOMEM ? -ENOMEM : 0;
}

/* ---- putting the workers' trees together ---- */

static void remap(struct load *load, size_t worker, const uint32_t *map)
{
	for (size_t p = 0; p < load->measurement->process_count; p++) {
		struct heddle_process *process = &load->measurement->processes[p];
		if (load->tree_of[p] != worker)
			continue;
		for (size_t i = 0; i < process->map_size; i++)
			process->map[i] = map[process->map[i]];
	}
}

static int join_tree(struct load *load, size_t worker)
{
	struct heddle_call_tree *from = &load->trees[worker];
	uint32_t *map = calloc(from->node_count, sizeof(*map));
	int error = map ? heddle__call_tree_merge(&load->trees[0], from, map) : -ENOMEM;
	if (!error)
		remap(load, worker, map);
	free(map);
	return error;
}

static int join_trees(struct load *load, size_t workers)
{
	int error = 0;
	for (size_t w = 1; w < workers; w++) {
		if (!error)
			error = join_tree(load, w);
		heddle__call_tree_free(&load->trees[w]);
	}
	load->measurement->tree = load->trees[0];
	return error;
}

static int start_trees(struct load *load, size_t workers)
{
	load->trees = calloc(workers, sizeof(*load->trees));
	load->tree_of = calloc(load->measurement->process_count, sizeof(*load->tree_of));
	int error = load->trees && load->tree_of ? 0 : -ENOMEM;
	for (size_t w = 0; !error && w < workers; w++)
		error = heddle__call_tree_start(&load->trees[w]);
	return error;
}

static int read_files(struct heddle_measurement *measurement, const struct heddle_load_options *options)
{
	size_t processors = options->workers ? options->workers : heddle__processors();
	size_t workers = measurement->process_count < processors ? 1 : processors;
	struct load load = {
		.measurement = measurement,
		.options = options,
		.inner_workers = workers == 1 ? processors : 1,
		.progress_lock = PTHREAD_MUTEX_INITIALIZER,
	};
	int error = start_trees(&load, workers);
	if (!error)
		error = heddle__parallel(workers, measurement->process_count, read_one, &load);
	if (load.trees) {
		int joined = join_trees(&load, workers);
		error = error ? error : joined;
	}
	free(load.trees);
	free(load.tree_of);
	return error;
}

/* ---- the whole ---- */

static int count_broken(struct heddle_measurement *measurement, char **bad_path)
{
	const struct heddle_process *bad = NULL;
	for (size_t p = 0; p < measurement->process_count; p++) {
		if (!measurement->processes[p].error)
			continue;
		if (!bad)
			bad = &measurement->processes[p];
		measurement->broken_count++;
	}
	if (!bad || measurement->broken_count < measurement->process_count)
		return 0;
	if (bad_path)
		*bad_path = strdup(bad->path);
	return bad->error;
}

int heddle_measurement_open(struct heddle_measurement *measurement, const char *path,
	const struct heddle_load_options *options, char **bad_path)
{
	*measurement = (struct heddle_measurement){.path = strdup(path)};
	if (bad_path)
		*bad_path = NULL;
	int error = measurement->path ? list_files(measurement) : -ENOMEM;
	if (!error)
		error = read_files(measurement, options);
	if (!error)
		error = count_broken(measurement, bad_path);
	if (!error)
		error = heddle__call_tree_derive(&measurement->tree);
	if (error)
		heddle_measurement_close(measurement);
	return error;
}

void heddle_measurement_close(struct heddle_measurement *measurement)
{
	for (size_t p = 0; p < measurement->process_count; p++) {
		struct heddle_process *process = &measurement->processes[p];
		if (process->info)
			heddle__profile__process__free_unpacked(process->info, NULL);
		heddle_threads_free(process->threads, process->thread_count);
		free(process->map);
		free(process->path);
	}
	free(measurement->processes);
	free(measurement->path);
	heddle__call_tree_free(&measurement->tree);
	*measurement = (struct heddle_measurement){0};
}

uint64_t heddle_measurement_total(const struct heddle_measurement *measurement, enum heddle_metric metric)
{
	const uint64_t *values = measurement->tree.values[metric];
	uint64_t total = 0;
	for (size_t i = 0; values && i < measurement->tree.node_count; i++)
		total += values[i];
	return total;
}

/* ---- thread by thread ---- */

struct thread_walk {
	const struct heddle_process *process;
	enum heddle_metric metric, stored; /* asked for; in the files */
	uint8_t *states;                   /* of the merged tree; NULL: nodes of any state */
	int (*each)(void *context, const struct heddle_thread_values *values);
	void *context;
	uint32_t *nodes;
	uint64_t *values;
	size_t node_capacity, value_capacity, count;
};

static int put(struct thread_walk *walk, uint32_t node, uint64_t value)
{
	if (walk->states && !heddle__state_waits(walk->states[walk->process->map[node]]))
		return 0;
	int error = heddle__reserve(&walk->nodes, &walk->node_capacity, walk->count + 1, sizeof(*walk->nodes));
	if (!error)
		error = heddle__reserve(&walk->values, &walk->value_capacity, walk->count + 1, sizeof(*walk->values));
	if (error)
		return error;
	walk->nodes[walk->count] = walk->process->map[node];
	walk->values[walk->count++] = value;
	return 0;
}

static int put_columns(struct thread_walk *walk, const Heddle__Profile__Thread *thread)
{
	int error = 0;
	walk->count = 0;
	for (size_t c = 0; c < thread->n_columns; c++) {
		const Heddle__Profile__Column *column = thread->columns[c];
		if (heddle__stored_metric(walk->process->info, column->metric) != (int)walk->stored)
			continue;
		for (size_t i = 0; !error && i < column->n_node; i++)
			error = put(walk, column->node[i], column->value[i]);
	}
	if (!error && walk->metric == HEDDLE_METRIC_SAMPLES && thread->samples_in_heddle)
		error = put(walk, (uint32_t)walk->process->map_size - 1, thread->samples_in_heddle);
	return error;
}

static int walk_thread(struct thread_walk *walk, const struct heddle_file_section *section, size_t number)
{
	Heddle__Profile__Thread *thread;
	if (number >= walk->process->thread_count)
		return -HEDDLE_INCONSISTENT;
	int error = heddle_decode_thread(section, walk->process->map_size - 1, walk->process->info->n_strings, &thread);
	if (error)
		return error;
	error = put_columns(walk, thread);
	heddle__profile__thread__free_unpacked(thread, NULL);
	struct heddle_thread_values values = {
		.process = walk->process,
		.thread = &walk->process->threads[number],
		.count = walk->count,
		.nodes = walk->nodes,
		.values = walk->values,
	};
	return error ? error : walk->each(walk->context, &values);
}

static int walk_process(struct thread_walk *walk)
{
	struct heddle_file file;
	int error = heddle_file_open(&file, walk->process->path);
	if (error)
		return error;
	size_t number = 0;
	for (size_t i = 0; !error && i < file.section_count; i++)
		if (file.sections[i].type == HEDDLE_SECTION_THREAD)
			error = walk_thread(walk, &file.sections[i], number++);
	heddle_file_close(&file);
	return error;
}

int heddle_measurement_threads(const struct heddle_measurement *measurement, enum heddle_metric metric,
	int (*each)(void *context, const struct heddle_thread_values *values), void *context)
{
	struct thread_walk walk = {.metric = metric, .stored = metric, .each = each, .context = context};
	int error = metric == HEDDLE_METRIC_HELD ? -EINVAL : 0;
	if (metric == HEDDLE_METRIC_WAITING) {
		walk.stored = HEDDLE_METRIC_WALL_TIME;
		walk.states = malloc(measurement->tree.node_count);
		if (!walk.states)
			return -ENOMEM;
		heddle__call_tree_states(&measurement->tree, walk.states);
	}
	for (size_t p = 0; !error && p < measurement->process_count; p++) {
		walk.process = &measurement->processes[p];
		if (!walk.process->error)
			error = walk_process(&walk);
	}
	free(walk.states);
	free(walk.nodes);
	free(walk.values);
	return error;
}
