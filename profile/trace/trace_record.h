/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One record of a thread: its fields, and its effect on the stream's stack. Nothing in it is trusted: it must be within
 * its chunk, and refer to nodes, metrics and entries that exist. Code for fields that every record has is inline,
 * because loops over all events use it.
 */
#ifndef HEDDLE_PROFILE_TRACE_RECORD_H
#define HEDDLE_PROFILE_TRACE_RECORD_H

#include "profile/trace/trace.h"

#include <endian.h>
#include <string.h>

/* The longest fixed part of a record. As many bytes after a chunk's last one must be readable. */
#define PROFILE_TRACE_HEAD_SIZE ((size_t)1 + 8 + 8)

/* The fixed part of a record. */
struct profile_trace_record {
	unsigned int kind;
	unsigned int bits; /* those of the width of a time or operand, if the kind has none */
	uint64_t time, operand;
};

/* Returns the file that the thread of the stream is in. */
static inline const struct profile_trace_file *profile_trace_file_of(const struct profile_trace_stream *stream)
{
	return &stream->trace->files[stream->thread->file];
}

static inline bool profile_trace_has_time(unsigned int kind)
{
	return kind < HEDDLE_TRACE_ADD || kind == HEDDLE_TRACE_MARK || kind >= HEDDLE_TRACE_TASK_BEGIN;
}

/* True if the times of later records are relative to this record's. */
static inline bool profile_trace_advances(unsigned int kind)
{
	return profile_trace_has_time(kind) && kind != HEDDLE_TRACE_VISIT && kind != HEDDLE_TRACE_SAMPLE &&
	       kind != HEDDLE_TRACE_MESSAGE;
}

/* Ends the stream; keeps the first error. */
static inline bool profile_trace_fail(struct profile_trace_stream *stream, int error)
{
	stream->error = stream->error ? stream->error : error;
	return false;
}

/* Reads a number of 2^width bytes; 8 must be readable. */
static inline uint64_t profile_trace_number(const uint8_t *at, unsigned int width)
{
	static const uint64_t masks[] = {UINT8_MAX, UINT16_MAX, UINT32_MAX, UINT64_MAX};
	uint64_t word;
	memcpy(&word, at, sizeof(word));
	return le64toh(word) & masks[width];
}

/* Reads kind, time and operand. Returns their size; the rest of the record may be missing. */
static inline size_t profile_trace_read_head(
	const struct profile_trace_stream *stream, struct profile_trace_record *record)
{
	const uint8_t *begin = stream->bytes.at + stream->at, *at = begin + 1;
	unsigned int time_width = *begin >> 4 & 3u, width = *begin >> 6;
	*record = (struct profile_trace_record){.kind = *begin & 15u};
	if (profile_trace_has_time(record->kind)) {
		record->time = profile_trace_number(at, time_width);
		at += (size_t)1 << time_width;
	} else {
		record->bits = time_width;
	}
	if (record->kind != HEDDLE_TRACE_END) {
		record->operand = profile_trace_number(at, width);
		at += (size_t)1 << width;
	} else {
		record->bits = width;
	}
	return (size_t)(at - begin);
}

/* Updates the stack by the record, and completes *event. False: the record is damaged (profile_trace_fail). */
bool profile_trace_apply(struct profile_trace_stream *stream, const struct profile_trace_record *record,
	struct profile_trace_event *event);

/* Applies a MARK that switches control, or ends a pause. Pauses count from the next record on. */
void profile_trace_apply_mark(struct profile_trace_stream *stream, const struct profile_trace_event *event);

#endif
