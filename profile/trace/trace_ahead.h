/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading ahead: a helper thread decodes some streams and merges them, into blocks that another thread takes. There are
 * 64 blocks of 90 KB at most, so memory does not grow with the events.
 */
#ifndef HEDDLE_PROFILE_TRACE_AHEAD_H
#define HEDDLE_PROFILE_TRACE_AHEAD_H

#include "profile/trace/trace_block.h"
#include "profile/trace/trace_streams.h"

struct profile_trace_ahead;

/*
 * Returns NULL if there is no memory, or no thread could be started. The trace must not change until it is closed, and
 * selection->threads not before the first block has been taken.
 */
struct profile_trace_ahead *profile_trace_ahead_open(const struct profile_trace_selection *selection);

/* Waits for the next events, in their order, and returns them, valid until the next call. NULL: there are no more. */
const struct profile_trace_block *profile_trace_ahead_next(struct profile_trace_ahead *ahead);

/* Of all streams of the list, valid after the last block; 0 before. See profile/trace/trace_streams.h. */
size_t profile_trace_ahead_broken(struct profile_trace_ahead *ahead);
int profile_trace_ahead_error(struct profile_trace_ahead *ahead);

/* Ends the thread. NULL is allowed. */
void profile_trace_ahead_close(struct profile_trace_ahead *ahead);

#endif
