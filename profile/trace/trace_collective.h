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
	struct profile_trace_table joined;           /* parts that go on, by file and request */
};

/* What the end of a part waited for. */
struct profile_trace_collective_wait {
	enum profile_trace_wait kind; /* HEDDLE_WAITS: nothing, or not known */
	size_t cause;                 /* the thread, which came to the collective at `ns` in `node` */
	uint32_t node;
	uint64_t ns;
};

/* The region has the attribute COMMUNICATOR. 0, what a hook returned, or -ENOMEM. */
int profile_trace_collective_enter(struct profile_trace_collectives *collectives, size_t thread,
	const struct profile_trace_open *open, enum heddle_event_role waits);
int profile_trace_collective_leave(struct profile_trace_collectives *collectives, size_t thread,
	const struct profile_trace_open *open, uint64_t ns);

/*
 * JOINED and LEFT, in the region `open`: a part that goes on when its call returns. *wait: for what the call that ended
 * it may have waited, which is not reported here.
 */
int profile_trace_collective_join(struct profile_trace_collectives *collectives, size_t thread,
	const struct profile_trace_open *open, const struct profile_trace_event *event, uint64_t identity);
int profile_trace_collective_left(struct profile_trace_collectives *collectives, size_t thread,
	const struct profile_trace_open *open, uint64_t request, struct profile_trace_collective_wait *wait);

/* Reports those that all have entered, and frees all. */
int profile_trace_collectives_end(struct profile_trace_collectives *collectives);

#endif
