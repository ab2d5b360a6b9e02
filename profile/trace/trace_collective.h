/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of communicators: the nth one is the same collective for all members. Used by trace_exchange.c. */
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
	uint32_t *losses;                            /* by thread: how often records were lost */
	struct profile_trace_table groups, visitors; /* by communicator; and thread */
	struct profile_trace_table joined;           /* parts that continue after their call, by file and request */
};

/* What the end of a part may have waited for. */
struct profile_trace_collective_wait {
	enum profile_trace_wait kind; /* HEDDLE_WAITS: nothing, or unknown */
	size_t cause;                 /* the thread, which came to the collective at `ns` in `node` */
	uint32_t node;
	uint64_t ns;
};

/* The region must have the attribute COMMUNICATOR. Return 0, the result of a hook, or -ENOMEM. */
int profile_trace_collective_enter(struct profile_trace_collectives *collectives, size_t thread,
	const struct profile_trace_open *open, enum heddle_event_role waits);
int profile_trace_collective_leave(struct profile_trace_collectives *collectives, size_t thread,
	const struct profile_trace_open *open, uint64_t ns);

/*
 * JOINED and LEFT records in the region `open`: a part that continues after its call returns. *wait becomes what the
 * call that ended it may have waited for, which is not reported here.
 */
int profile_trace_collective_join(struct profile_trace_collectives *collectives, size_t thread,
	const struct profile_trace_open *open, const struct profile_trace_event *event, uint64_t identity);
int profile_trace_collective_left(struct profile_trace_collectives *collectives, size_t thread,
	const struct profile_trace_open *open, uint64_t request, struct profile_trace_collective_wait *wait);

/* Reports collectives that all members have entered, and frees everything. */
int profile_trace_collectives_end(struct profile_trace_collectives *collectives);

#endif
