/* SPDX-License-Identifier: BSD-3-Clause */
/* One trace file: its chunks, found by their headers, and the contents of all chunks that have no events. */
#ifndef HEDDLE_PROFILE_TRACE_FILE_H
#define HEDDLE_PROFILE_TRACE_FILE_H

#include "profile/trace/trace.h"

struct profile_trace_found {
	uint32_t thread;
	struct profile_trace_chunk chunk;
};

struct profile_trace_found_rest {
	uint32_t thread;
	struct heddle_trace_value value;
};

/* Data of single threads of a file: by thread, then by order. */
struct profile_trace_index {
	struct profile_trace_found *chunks;
	size_t chunk_count, chunk_capacity;
	struct profile_trace_found_rest *rest;
	size_t rest_count, rest_capacity;
	size_t node_capacity, offset_capacity, group_capacity; /* of the file's arrays */
};

/*
 * Opens file->path, of file->process, and reads all except events. Damage is not an error: what precedes it was read,
 * and file->damage describes it. Returns 0 or a negative error. Call profile_trace_file_close and
 * profile_trace_index_free in any case.
 */
int profile_trace_file_open(struct profile_trace_file *file, struct profile_trace_index *index);
void profile_trace_file_close(struct profile_trace_file *file);
void profile_trace_index_free(struct profile_trace_index *index);

/* Returns the metric (profile/file/metric.h) of a number in the file; HEDDLE_METRIC_LIMIT: unknown. */
static inline uint32_t profile_trace_metric(const struct profile_trace_file *file, uint64_t stored)
{
	if (stored < HEDDLE_COUNTER_FIRST)
		return heddle__metric_is_stored((uint32_t)stored) ? (uint32_t)stored : HEDDLE_METRIC_LIMIT;
	stored -= HEDDLE_COUNTER_FIRST;
	return stored < file->counter_count ? file->counters[stored] : HEDDLE_METRIC_LIMIT;
}

/* Reads exactly `size` bytes. Returns 0, a negative error, or -HEDDLE_TRUNCATED. */
int profile_trace_read(int fd, void *bytes, size_t size, uint64_t offset);

#endif
