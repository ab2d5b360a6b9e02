/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of some threads in the order of time, in blocks. Streams are decoded a burst of events at a time: so what
 * a stream needs comes to the processor's caches once for all of them. What is kept of an event until its turn is
 * short.
 */
#ifndef HEDDLE_PROFILE_TRACE_BURST_H
#define HEDDLE_PROFILE_TRACE_BURST_H

#include "profile/trace/trace_block.h"
#include "profile/trace/trace_streams.h"

struct profile_trace_bursts;

/* Returns NULL if there is no memory. */
struct profile_trace_bursts *profile_trace_bursts_open(const struct profile_trace_selection *selection);

/*
 * The next events; of those at the same time, that of the lower position comes first. 1: the block is full; 0: it has
 * the last events; -ENOMEM.
 */
int profile_trace_bursts_fill(struct profile_trace_bursts *bursts, struct profile_trace_block *block);

/* See profile/trace/trace_streams.h. */
size_t profile_trace_bursts_broken(const struct profile_trace_bursts *bursts);
int profile_trace_bursts_error(const struct profile_trace_bursts *bursts);
/* NULL is allowed. */
void profile_trace_bursts_close(struct profile_trace_bursts *bursts);

#endif
