/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the files of a measurement in parallel (gather.h). If there are fewer files than processors, the threads inside
 * each file are read in parallel instead.
 */
#include "profile/file/measurement.h"

#include "profile/base/errors.h"
#include "profile/base/parallel.h"
#include "profile/file/code_map.h"
#include "profile/file/gather.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file and its processes: one, or the members of a merged file. */
struct file {
	char *path;
	struct profile_process *processes;
	size_t count;
	bool merged;
};

struct load {
	struct profile_measurement *measurement;
	const struct profile_load_options *options;
	size_t inner_workers;
	struct file *files;
	uint64_t *sizes;
	size_t count;
	atomic_size_t mapped; /* bytes of maps */
	pthread_mutex_t progress_lock;
	size_t done;
};

/* ---- the files ---- */

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);
	return length > tail && strcmp(text + length - tail, end) == 0;
}

bool profile_is_name(const char *name)
{
	return *name != '.' && (ends_with(name, HEDDLE_FILE_SUFFIX) || ends_with(name, HEDDLE_COMPRESSED_SUFFIX));
}

static int is_profile(const struct dirent *entry)
{
	return profile_is_name(entry->d_name);
}

static int add_file(struct load *load, const char *directory, const char *name)
{
	struct stat status;
	struct file *file = &load->files[load->count];
	int length = directory ? asprintf(&file->path, "%s/%s", directory, name) : asprintf(&file->path, "%s", name);
	if (length < 0) {
		file->path = NULL;
		return -ENOMEM;
	}
	load->sizes[load->count++] = stat(file->path, &status) == 0 ? (uint64_t)status.st_size : 0;
	return 0;
}

static int start_files(struct load *load, size_t count)
{
	load->files = calloc(count + 1, sizeof(*load->files));
	load->sizes = calloc(count + 1, sizeof(*load->sizes));
	return load->files && load->sizes ? 0 : -ENOMEM;
}

/* If several readers share a measurement, each reads consecutive files. */
static int list_directory(struct load *load)
{
	struct dirent **entries;
	const char *path = load->measurement->path;
	size_t parts = load->options->parts ? load->options->parts : 1, part = load->options->part;
	int count = scandir(path, &entries, is_profile, alphasort);
	if (count < 0)
		return -errno;
	size_t first = (size_t)count * part / parts, end = (size_t)count * (part + 1) / parts;
	int error = start_files(load, end - first);
	for (size_t i = 0; i < (size_t)count; i++) {
		if (!error && i >= first && i < end)
			error = add_file(load, path, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return error || count > 0 ? error : -HEDDLE_EMPTY;
}

static int list_files(struct load *load)
{
	struct stat status;
	if (stat(load->measurement->path, &status) != 0)
		return -errno;
	if (S_ISDIR(status.st_mode))
		return list_directory(load);
	int error = start_files(load, 1);
	return error ? error : add_file(load, NULL, load->measurement->path);
}

/* ---- reading ---- */

static int start_process(struct profile_process *process, const char *path)
{
	process->path = strdup(path);
	return process->path ? 0 : -ENOMEM;
}

/* Sets what views ask for each thread. */
static void describe_threads(struct profile_process *process)
{
	bool several = false;
	for (size_t t = 0; t < process->thread_count; t++) {
		uint32_t rank = process->threads[t].rank;
		process->has_workers |= profile_thread_is_worker(&process->threads[t]);
		several |= rank && process->only_rank && rank != process->only_rank;
		process->only_rank = rank ? rank : process->only_rank;
	}
	if (several)
		process->only_rank = 0;
}

static void take_member(struct profile_process *process, struct profile_member *member)
{
	process->info = member->info;
	process->threads = member->threads;
	process->thread_count = member->thread_count;
	describe_threads(process);
	member->info = NULL;
	member->threads = NULL;
	member->thread_count = 0;
}

static int take_members(struct file *file, struct profile_decoded *decoded)
{
	file->merged = true;
	file->processes = calloc(decoded->member_count + 1, sizeof(*file->processes));
	if (!file->processes)
		return -ENOMEM;
	for (; file->count < decoded->member_count; file->count++) {
		struct profile_process *process = &file->processes[file->count];
		int error = start_process(process, decoded->members[file->count].path);
		if (error)
			return error;
		process->merged = true;
		take_member(process, &decoded->members[file->count]);
	}
	return 0;
}

/* Without a map, a reader that reads the file again must find its nodes in the merged tree. */
static bool keeps_map(struct load *load, size_t nodes)
{
	size_t size = nodes * sizeof(uint32_t);
	return load->options->keep_threads || atomic_fetch_add(&load->mapped, size) + size <= load->options->map_bytes;
}

static int take_process(struct file *file, struct profile_decoded *decoded)
{
	file->processes = calloc(1, sizeof(*file->processes));
	struct profile_process *process = file->processes;
	int error = process ? start_process(process, file->path) : -ENOMEM;
	if (error)
		return error;
	file->count = 1;
	take_member(process, &(struct profile_member){NULL, decoded->process, decoded->threads, decoded->thread_count});
	decoded->process = NULL;
	decoded->threads = NULL;
	return 0;
}

/* Merges the file's tree, then takes its processes. */
static int take_file(
	struct load *load, struct file *file, struct profile_decoded *decoded, struct profile_call_tree *tree)
{
	size_t nodes = decoded->tree.node_count;
	uint32_t *map = calloc(nodes, sizeof(*map));
	int error = map ? profile_call_tree_merge(tree, &decoded->tree, map) : -ENOMEM;
	if (!error)
		error = decoded->merged ? take_members(file, decoded) : take_process(file, decoded);
	if (!error && !decoded->merged && keeps_map(load, nodes)) {
		file->processes->map = map;
		file->processes->map_size = nodes;
		return 0;
	}
	free(map);
	return error;
}

static int read_file(struct load *load, struct file *from, struct profile_call_tree *tree)
{
	struct profile_file file;
	struct profile_decoded decoded;
	int error = profile_file_open(&file, from->path);
	if (error)
		return error;
	error = profile_decode(&decoded, &file, load->inner_workers);
	profile_file_close(&file);
	if (error)
		return error;
	error = profile_code_map_apply(&decoded, from->path);
	if (!error)
		error = take_file(load, from, &decoded, tree);
	profile_decoded_free(&decoded);
	return error;
}

static void free_process(struct profile_process *process)
{
	if (process->info)
		heddle__profile__process__free_unpacked(process->info, NULL);
	profile_threads_free(process->threads, process->thread_count);
	free(process->map);
	free(process->path);
}

static void free_processes(struct file *file)
{
	for (size_t i = 0; i < file->count; i++)
		free_process(&file->processes[i]);
	free(file->processes);
	file->processes = NULL;
	file->count = 0;
}

/* Represents a file that cannot be read by one process. */
static int note_broken(struct file *file, int error)
{
	free_processes(file);
	file->processes = calloc(1, sizeof(*file->processes));
	if (!file->processes || start_process(file->processes, file->path) != 0)
		return -ENOMEM;
	file->processes->error = error;
	file->count = 1;
	return 0;
}

static void report_progress(struct load *load)
{
	pthread_mutex_lock(&load->progress_lock);
	load->done++;
	profile_progress_step(load->options->progress, "reading files", load->done, load->count);
	pthread_mutex_unlock(&load->progress_lock);
}

/* Only lack of memory stops the other workers; any other error affects one file. */
static int read_one(void *context, size_t number, struct profile_call_tree *tree)
{
	struct load *load = context;
	struct file *file = &load->files[number];
	int error = read_file(load, file, tree);
	if (error && error != -ENOMEM)
		error = note_broken(file, error);
	report_progress(load);
	return error;
}

static void remap(void *context, size_t number, const uint32_t *map)
{
	struct load *load = context;
	struct file *file = &load->files[number];
	for (size_t p = 0; p < file->count; p++)
		for (size_t i = 0; i < file->processes[p].map_size; i++)
			file->processes[p].map[i] = map[file->processes[p].map[i]];
}

static int list_processes(struct load *load)
{
	struct profile_measurement *measurement = load->measurement;
	size_t count = 0;
	for (size_t f = 0; f < load->count; f++)
		count += load->files[f].count;
	measurement->processes = calloc(count + 1, sizeof(*measurement->processes));
	if (!measurement->processes)
		return -ENOMEM;
	for (size_t f = 0; f < load->count; f++) {
		struct file *file = &load->files[f];
		if (file->count)
			memcpy(&measurement->processes[measurement->process_count], file->processes,
				file->count * sizeof(*file->processes));
		measurement->process_count += file->count;
		file->count = 0;
	}
	measurement->file_count = load->count;
	if (load->count == 1 && load->files[0].merged) {
		measurement->merged = load->files[0].path;
		load->files[0].path = NULL;
	}
	return 0;
}

static int read_files(struct load *load)
{
	size_t processors = load->options->workers ? load->options->workers : profile_processors();
	struct profile_gather gather = {
		.count = load->count,
		.sizes = load->sizes,
		.workers = load->count < processors ? 1 : processors,
		.read = read_one,
		.joined = remap,
		.context = load,
	};
	load->inner_workers = gather.workers == 1 ? processors : 1;
	int error = profile_gather(&load->measurement->tree, &gather);
	return error ? error : list_processes(load);
}

static int read_all(struct profile_measurement *measurement, const struct profile_load_options *options)
{
	struct load load = {.measurement = measurement, .options = options, .progress_lock = PTHREAD_MUTEX_INITIALIZER};
	int error = list_files(&load);
	if (!error)
		error = read_files(&load);
	for (size_t f = 0; f < load.count; f++) {
		free_processes(&load.files[f]);
		free(load.files[f].path);
	}
	free(load.files);
	free(load.sizes);
	return error;
}

/* ---- the measurement ---- */

/* If only a part is read, finding nothing readable is no error: other parts may have files. */
static int count_broken(struct profile_measurement *measurement, bool in_parts, char **bad_path)
{
	const struct profile_process *bad = NULL;
	for (size_t p = 0; p < measurement->process_count; p++) {
		if (!measurement->processes[p].error)
			continue;
		if (!bad)
			bad = &measurement->processes[p];
		measurement->broken_count++;
	}
	if (!bad || in_parts || measurement->broken_count < measurement->process_count)
		return 0;
	if (bad_path)
		*bad_path = strdup(bad->path);
	return bad->error;
}

int profile_measurement_open(struct profile_measurement *measurement, const char *path,
	const struct profile_load_options *options, char **bad_path)
{
	*measurement = (struct profile_measurement){.path = strdup(path)};
	if (bad_path)
		*bad_path = NULL;
	int error = measurement->path ? read_all(measurement, options) : -ENOMEM;
	if (!error)
		error = count_broken(measurement, options->parts > 1, bad_path);
	if (!error)
		error = profile_call_tree_derive(&measurement->tree);
	if (error)
		profile_measurement_close(measurement);
	return error;
}

int profile_measurement_append(struct profile_measurement *measurement, struct profile_measurement *more)
{
	size_t count = measurement->process_count + more->process_count;
	size_t capacity = measurement->process_count;
	int error = profile_reserve(&measurement->processes, &capacity, count + 1, sizeof(*measurement->processes));
	if (error)
		return error;
	error = profile_call_tree_merge(&measurement->tree, &more->tree, NULL);
	if (!error)
		error = profile_call_tree_derive(&measurement->tree);
	if (error)
		return error;
	if (more->process_count)
		memcpy(&measurement->processes[measurement->process_count], more->processes,
			more->process_count * sizeof(*more->processes));
	measurement->process_count = count;
	measurement->file_count += more->file_count;
	measurement->broken_count += more->broken_count;
	more->process_count = 0;
	return 0;
}

void profile_measurement_close(struct profile_measurement *measurement)
{
	for (size_t p = 0; p < measurement->process_count; p++)
		free_process(&measurement->processes[p]);
	free(measurement->processes);
	free(measurement->path);
	free(measurement->merged);
	profile_call_tree_free(&measurement->tree);
	*measurement = (struct profile_measurement){0};
}

bool profile_is_sampled(const Heddle__Profile__Process *info)
{
	return *info->sample_source && strcmp(info->sample_source, "none") != 0;
}

uint64_t profile_measurement_total(const struct profile_measurement *measurement, enum heddle_metric metric)
{
	const uint64_t *values = measurement->tree.values[metric];
	uint64_t total = 0;
	for (size_t i = 0; values && i < measurement->tree.node_count; i++)
		total += values[i];
	return total;
}

/* ---- thread by thread ---- */

struct thread_walk {
	const struct profile_process *process;
	const enum heddle_metric *metrics;
	size_t metric_count;
	uint8_t *states; /* of the merged tree's nodes; for the metric of waiting time */
	int (*each)(void *context, const struct profile_thread_values *values);
	void *context;
	uint32_t *nodes;
	uint64_t *values;
	size_t node_capacity, value_capacity, count;
};

static int put_value(struct thread_walk *walk, uint32_t node, uint64_t value)
{
	int error = profile_reserve(&walk->nodes, &walk->node_capacity, walk->count + 1, sizeof(*walk->nodes));
	if (!error)
		error = profile_reserve(&walk->values, &walk->value_capacity, walk->count + 1, sizeof(*walk->values));
	if (error)
		return error;
	walk->nodes[walk->count] = walk->process->map[node];
	walk->values[walk->count++] = value;
	return 0;
}

static bool is_waiting(const struct thread_walk *walk, uint32_t node)
{
	return profile_state_waits(walk->states[walk->process->map[node]]);
}

/* Waiting time is the elapsed time of some nodes; the file has the other metrics. */
static int put_columns(struct thread_walk *walk, const Heddle__Profile__Thread *thread, enum heddle_metric metric)
{
	bool waiting = metric == HEDDLE_METRIC_WAITING;
	uint32_t stored = waiting ? HEDDLE_METRIC_WALL_TIME : (uint32_t)metric;
	int error = 0;
	walk->count = 0;
	for (size_t c = 0; c < thread->n_columns; c++) {
		const Heddle__Profile__Column *column = thread->columns[c];
		if (column->metric != stored)
			continue;
		for (size_t i = 0; !error && i < column->n_node; i++)
			if (!waiting || is_waiting(walk, column->node[i]))
				error = put_value(walk, column->node[i], column->value[i]);
	}
	if (!error && metric == HEDDLE_METRIC_SAMPLES && thread->samples_in_heddle)
		error = put_value(walk, (uint32_t)walk->process->map_size - 1, thread->samples_in_heddle);
	return error;
}

static int walk_columns(
	struct thread_walk *walk, const Heddle__Profile__Thread *thread, size_t number, enum heddle_metric metric)
{
	int error = put_columns(walk, thread, metric);
	struct profile_thread_values values = {
		.process = walk->process,
		.thread = &walk->process->threads[number],
		.metric = metric,
		.count = walk->count,
		.nodes = walk->nodes,
		.values = walk->values,
	};
	return error ? error : walk->each(walk->context, &values);
}

static int walk_metrics(struct thread_walk *walk, const Heddle__Profile__Thread *thread, size_t number)
{
	int error = 0;
	for (size_t m = 0; !error && m < walk->metric_count; m++)
		error = walk_columns(walk, thread, number, walk->metrics[m]);
	return error;
}

static int walk_thread(struct thread_walk *walk, const struct profile_file_section *section, size_t number)
{
	Heddle__Profile__Thread *thread;
	if (number >= walk->process->thread_count)
		return -HEDDLE_INCONSISTENT;
	int error = profile_decode_thread(section, walk->process->info, walk->process->map_size - 1, &thread);
	if (error)
		return error;
	error = walk_metrics(walk, thread, number);
	heddle__profile__thread__free_unpacked(thread, NULL);
	return error;
}

static int walk_parts(struct thread_walk *walk)
{
	int error = 0;
	for (size_t t = 0; !error && t < walk->process->thread_count; t++)
		error = walk_metrics(walk, walk->process->threads[t].part, t);
	return error;
}

static int walk_process(struct thread_walk *walk)
{
	struct profile_file file;
	if (walk->process->parted)
		return walk_parts(walk);
	int error = profile_file_open(&file, walk->process->path);
	if (error)
		return error;
	size_t number = 0;
	for (size_t i = 0; !error && i < file.section_count; i++)
		if (file.sections[i].type == HEDDLE_SECTION_THREAD)
			error = walk_thread(walk, &file.sections[i], number++);
	profile_file_close(&file);
	return error;
}

int profile_measurement_thread_metrics(const struct profile_measurement *measurement, const enum heddle_metric *metrics,
	size_t metric_count, int (*each)(void *context, const struct profile_thread_values *values), void *context)
{
	struct thread_walk walk = {.metrics = metrics, .metric_count = metric_count, .each = each, .context = context};
	int error = 0;
	for (size_t m = 0; !error && m < metric_count; m++)
		error = profile_metric_is_of_threads(metrics[m]) ? 0 : -EINVAL;
	walk.states = error ? NULL : malloc(measurement->tree.node_count);
	if (!error && !walk.states)
		error = -ENOMEM;
	if (!error)
		profile_call_tree_states(&measurement->tree, walk.states);
	for (size_t p = 0; !error && p < measurement->process_count; p++) {
		walk.process = &measurement->processes[p];
		if (!walk.process->error)
			error = walk.process->merged ? -HEDDLE_MERGED : walk_process(&walk);
	}
	free(walk.states);
	free(walk.nodes);
	free(walk.values);
	return error;
}

int profile_measurement_threads(const struct profile_measurement *measurement, enum heddle_metric metric,
	int (*each)(void *context, const struct profile_thread_values *values), void *context)
{
	return profile_measurement_thread_metrics(measurement, &metric, 1, each, context);
}
