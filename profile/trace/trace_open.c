/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the trace of each process, and combines the files' threads, nodes and times. */
#include "profile/base/errors.h"
#include "profile/base/intern.h"
#include "profile/base/parallel.h"
#include "profile/trace/trace_clock.h"
#include "profile/trace/trace_file.h"
#include "profile/trace/trace_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- threads ---- */

/* Usually threads are in the order of their numbers, without gaps. */
static const struct profile_thread *find_row(const struct profile_process *process, uint32_t id)
{
	if (id < process->thread_count && process->threads[id].id == id)
		return &process->threads[id];
	for (size_t t = 0; t < process->thread_count; t++)
		if (process->threads[t].id == id)
			return &process->threads[t];
	return NULL;
}

/* Skips a chunk with the same number as the previous one, because only one of them can be the thread's. */
static int take_chunks(
	struct profile_trace_thread *thread, const struct profile_trace_index *index, size_t first, size_t count)
{
	thread->chunks = calloc(count + 1, sizeof(*thread->chunks));
	if (!thread->chunks)
		return -ENOMEM;
	for (size_t i = first; i < first + count; i++) {
		const struct profile_trace_chunk *chunk = &index->chunks[i].chunk;
		if (i > first && chunk->order == index->chunks[i - 1].chunk.order)
			continue;
		thread->chunks[thread->chunk_count++] = *chunk;
		thread->records += chunk->count;
		thread->bytes += chunk->length;
	}
	return 0;
}

static int take_rest(
	struct profile_trace_thread *thread, const struct profile_trace_index *index, size_t first, size_t count)
{
	thread->rest = calloc(count + 1, sizeof(*thread->rest));
	if (!thread->rest)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		thread->rest[thread->rest_count++] = index->rest[first + i].value;
	return 0;
}

static size_t chunks_of(const struct profile_trace_index *index, size_t first, uint32_t thread)
{
	size_t end = first;
	while (end < index->chunk_count && index->chunks[end].thread == thread)
		end++;
	return end - first;
}

static size_t rest_of(const struct profile_trace_index *index, size_t first, uint32_t thread)
{
	size_t end = first;
	while (end < index->rest_count && index->rest[end].thread == thread)
		end++;
	return end - first;
}

/* Returns the next thread in either of the sorted lists. */
static uint32_t next_thread(const struct profile_trace_index *index, size_t chunk, size_t rest)
{
	if (chunk == index->chunk_count)
		return index->rest[rest].thread;
	if (rest == index->rest_count || index->chunks[chunk].thread < index->rest[rest].thread)
		return index->chunks[chunk].thread;
	return index->rest[rest].thread;
}

static int add_threads(struct profile_trace *trace, const struct profile_trace_index *index, size_t *capacity)
{
	uint32_t file = (uint32_t)trace->file_count - 1;
	int error = 0;
	for (size_t chunk = 0, rest = 0; !error && (chunk < index->chunk_count || rest < index->rest_count);) {
		uint32_t id = next_thread(index, chunk, rest);
		size_t chunks = chunks_of(index, chunk, id), values = rest_of(index, rest, id);
		error = profile_reserve(&trace->threads, capacity, trace->thread_count + 1, sizeof(*trace->threads));
		if (error)
			break;
		struct profile_trace_thread *thread = &trace->threads[trace->thread_count++];
		*thread = (struct profile_trace_thread){
			.id = id, .file = file, .row = find_row(trace->files[file].process, id)};
		error = take_chunks(thread, index, chunk, chunks);
		if (!error)
			error = take_rest(thread, index, rest, values);
		chunk += chunks;
		rest += values;
	}
	return error;
}

/* ---- files ---- */

/*
 * Nodes have the same numbers as in the profile, whose last node is the reader's own. Only a trace that is not complete
 * has more nodes.
 */
static int map_nodes(struct profile_trace_file *file)
{
	const struct profile_process *process = file->process;
	file->map = process->map;
	if (file->node_count < process->map_size)
		return 0;
	file->own_map = calloc(file->node_count + 1, sizeof(*file->own_map));
	if (!file->own_map)
		return -ENOMEM;
	for (size_t i = 0; i < file->node_count; i++)
		file->own_map[i] = i + 1 < process->map_size ? process->map[i] : HEDDLE_NO_NODE;
	file->map = file->own_map;
	return 0;
}

static int map_counters(struct profile_trace_file *file)
{
	const Heddle__Profile__Process *info = file->process->info;
	size_t capacity = 0;
	for (size_t i = 0; i < info->n_counters; i++) {
		const Heddle__Profile__Counter *counter = info->counters[i];
		uint32_t number = counter->metric - HEDDLE_COUNTER_FIRST;
		if (counter->metric < HEDDLE_COUNTER_FIRST || number > UINT16_MAX)
			continue;
		if (profile_reserve(&file->counters, &capacity, (size_t)number + 1, sizeof(*file->counters)) != 0)
			return -ENOMEM;
		for (; file->counter_count <= number; file->counter_count++)
			file->counters[file->counter_count] = HEDDLE_METRIC_LIMIT;
		int metric = profile_metric_add(counter->name, counter->unit, counter->meaning);
		if (profile_metric_is_counter((enum heddle_metric)metric))
			file->counters[number] = (uint32_t)metric;
	}
	return 0;
}

/* Returns NULL if there is none. */
static char *existing(const char *profile, size_t length)
{
	char *path;
	if (asprintf(&path, "%.*s%s", (int)length, profile, HEDDLE_TRACE_SUFFIX) < 0)
		return NULL;
	if (access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/* The trace of NAME.heddle.zst may be that of NAME.heddle, before it was compressed. NULL: there is none. */
static char *trace_path(const char *profile)
{
	size_t length = strlen(profile), compressed = strlen(HEDDLE_COMPRESSED_SUFFIX);
	char *path = existing(profile, length);
	if (path || length < compressed || strcmp(profile + length - compressed, HEDDLE_COMPRESSED_SUFFIX) != 0)
		return path;
	return existing(profile, length - compressed + strlen(HEDDLE_FILE_SUFFIX));
}

/* Reads the last file of `trace`. */
static int read_file(struct profile_trace *trace, size_t *capacity)
{
	struct profile_trace_index index = {0};
	struct profile_trace_file *file = &trace->files[trace->file_count - 1];
	int error = profile_trace_file_open(file, &index);
	if (!error)
		error = map_nodes(file);
	if (!error)
		error = map_counters(file);
	if (!error)
		error = add_threads(trace, &index, capacity);
	profile_trace_index_free(&index);
	return error;
}

static int read_files(struct profile_trace *trace, const struct profile_measurement *measurement, char **bad_path)
{
	size_t capacity = 0;
	int error = 0;
	for (size_t p = 0; !error && p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		char *path = process->error || process->merged ? NULL : trace_path(process->path);
		if (!path)
			continue;
		trace->files[trace->file_count++] =
			(struct profile_trace_file){.path = path, .process = process, .fd = -1};
		error = process->map ? read_file(trace, &capacity) : -EINVAL;
		if (error && bad_path)
			*bad_path = strdup(path);
	}
	return error ? error : trace->file_count ? 0 : -ENOENT;
}

/* ---- time ---- */

static void find_zero(struct profile_trace *trace)
{
	trace->zero_ns = UINT64_MAX;
	for (size_t t = 0; t < trace->thread_count; t++) {
		const struct profile_trace_thread *thread = &trace->threads[t];
		if (thread->chunk_count == 0)
			continue;
		uint64_t at = profile_trace_common_ns(
			&trace->files[thread->file], thread->chunks[0].first, thread->chunks[0].paused);
		trace->zero_ns = at < trace->zero_ns ? at : trace->zero_ns;
	}
	if (trace->zero_ns == UINT64_MAX)
		trace->zero_ns = 0;
}

struct ends {
	struct profile_trace *trace;
	uint64_t *times;
	struct profile_trace_bytes *bytes; /* by worker: reused, because fresh memory costs more than reading into it */
};

/* Pauses within the last chunk are known only from its records. */
static int find_end(void *context, size_t worker, size_t index)
{
	struct ends *ends = context;
	struct profile_trace_stream stream;
	struct profile_trace_event event;
	int error = profile_trace_stream_open(&stream, ends->trace, index);
	if (error || stream.thread->chunk_count == 0)
		return error;
	profile_trace_stream_go(&stream, stream.thread->chunk_count - 1);
	stream.bytes = ends->bytes[worker];
	while (profile_trace_next(&stream, &event))
		ends->times[index] = event.time_ns;
	error = stream.error == -ENOMEM ? -ENOMEM : 0;
	ends->bytes[worker] = stream.bytes;
	stream.bytes = (struct profile_trace_bytes){0};
	profile_trace_stream_close(&stream);
	return error;
}

int profile_trace_find_ends(struct profile_trace *trace)
{
	size_t workers = profile_processors();
	struct ends ends = {
		trace, calloc(trace->thread_count + 1, sizeof(*ends.times)), calloc(workers + 1, sizeof(*ends.bytes))};
	int error =
		ends.times && ends.bytes ? profile_parallel(workers, trace->thread_count, find_end, &ends) : -ENOMEM;
	trace->end_ns = 0;
	for (size_t t = 0; ends.times && t < trace->thread_count; t++) {
		struct profile_trace_file *file = &trace->files[trace->threads[t].file];
		trace->end_ns = ends.times[t] > trace->end_ns ? ends.times[t] : trace->end_ns;
		if (trace->threads[t].chunk_count) {
			const struct profile_trace_chunk *first = trace->threads[t].chunks;
			profile_trace_take_unmeasured(file, profile_trace_ns(trace, file, first->first, first->paused));
			profile_trace_take_unmeasured(file, ends.times[t]);
		}
	}
	for (size_t w = 0; ends.bytes && w < workers; w++)
		profile_trace_bytes_free(&ends.bytes[w]);
	free(ends.bytes);
	free(ends.times);
	return error;
}

int profile_trace_open(struct profile_trace *trace, const struct profile_measurement *measurement, char **bad_path)
{
	*trace = (struct profile_trace){.measurement = measurement};
	if (bad_path)
		*bad_path = NULL;
	trace->files = calloc(measurement->process_count + 1, sizeof(*trace->files));
	int error = trace->files ? read_files(trace, measurement, bad_path) : -ENOMEM;
	if (!error) {
		profile_trace_choose_clocks(trace);
		find_zero(trace);
		profile_trace_find_measured(trace);
		error = profile_trace_find_ends(trace);
	}
	if (error)
		profile_trace_close(trace);
	return error;
}

void profile_trace_close(struct profile_trace *trace)
{
	for (size_t t = 0; trace->threads && t < trace->thread_count; t++) {
		free(trace->threads[t].chunks);
		free(trace->threads[t].rest);
	}
	for (size_t f = 0; trace->files && f < trace->file_count; f++) {
		free(trace->files[f].counters);
		profile_trace_file_close(&trace->files[f]);
	}
	for (size_t m = 0; trace->shifts && m < trace->machine_count; m++)
		free(trace->shifts[m].items);
	free(trace->shifts);
	free(trace->threads);
	free(trace->files);
	*trace = (struct profile_trace){0};
}
