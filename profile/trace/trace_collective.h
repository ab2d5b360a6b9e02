/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of communicators: the nth one of a communicator is the same for all members. Used by trace_exchange.c. */
#ifndef HEDDLE_PROFILE_TRACE_COLLECTIVE_H
#define HEDDLE_PROFILE_TRACE_COLLECTIVE_H

#include "format/ids.h"
#include "profile/trace/trace_follow.h"
#include "profile/trace/trace_sync.h"
#include "profile/trace/trace_table.h"

struct profile_trace_collectives {
	const struct profile_trace *trace;
	const struct profile_trace_sync_hooks *hooks;
	void *context;
	uint32_t *losses;                            /* of each thread: how often records were lost */
	struct profile_trace_table groups, visitors; /* by communicator; and thread */
};

/* The region has the attribute COMMUNICATOR. 0, what a hook returned, or -ENOMEM. */
int profile_trace_collective_enter(struct profile_trace_collectives *collectives, size_t thread,
	const struct profile_trace_open *open, enum heddle_event_role waits);
int profile_trace_collective_leave(struct profile_trace_collectives *collectives, size_t thread,
	const struct profile_trace_open *open, uint64_t ns);

/* Reports those that all have entered, and frees all. */
int profile_trace_collectives_end(struct profile_trace_collectives *collectives);

#endif
