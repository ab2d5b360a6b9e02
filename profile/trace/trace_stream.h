/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of streams for merging and opening, besides profile/trace/trace.h. */
#ifndef HEDDLE_PROFILE_TRACE_STREAM_H
#define HEDDLE_PROFILE_TRACE_STREAM_H

#include "profile/trace/trace.h"

/*
 * Finds the time of the next event, or a lower bound, without reading the event, so the stack does not change. Loads
 * the next chunk if needed. False: there is no event.
 */
bool profile_trace_peek(struct profile_trace_stream *stream, uint64_t *time_ns);

#define PROFILE_TRACE_LINE ((size_t)64) /* bytes of a cache line */

/* Frees the memory, unless it is lent. */
void profile_trace_bytes_free(struct profile_trace_bytes *bytes);

/* Returns the most bytes that a chunk of the thread needs. */
size_t profile_trace_chunk_room(const struct profile_trace_thread *thread);

/* Returns the node that elapsed time is charged to now; HEDDLE_NO_NODE: none. */
uint32_t profile_trace_charged(const struct profile_trace_stream *stream);

/* Returns the chunk that has a time. */
size_t profile_trace_chunk_at(const struct profile_trace_stream *stream, uint64_t time_ns);

/* True if chunks before that one are missing. Then call the second function: what is open, and charged, is unknown. */
bool profile_trace_follows_gap(const struct profile_trace_thread *thread, size_t chunk);
void profile_trace_forget(struct profile_trace_stream *stream);

/* Like profile_trace_stream_seek, for a chunk by its index. */
void profile_trace_stream_go(struct profile_trace_stream *stream, size_t chunk);

/* Finds the time of the last event, and how far each file's events are from its offset measurements. 0 or -ENOMEM. */
int profile_trace_find_ends(struct profile_trace *trace);

#endif
