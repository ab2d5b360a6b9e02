/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The barriers of a group of threads, one after the other: who arrived, who was last, how long the others waited. Used
 * by trace_sync.c; trace_exchange.c uses the marked points, too.
 */
#ifndef HEDDLE_PROFILE_TRACE_BARRIER_H
#define HEDDLE_PROFILE_TRACE_BARRIER_H

#include "profile/trace/trace_sync.h"

/* A marked event, on which threads may depend. */
struct profile_trace_point {
	void *token; /* NULL: nothing, or marks are not requested */
	uint64_t ns;
	size_t thread;
};

/* One barrier, from its first arrival on. */
struct profile_trace_gathering {
	uint64_t number; /* 1 ...; 0: none yet */
	bool met;
	size_t arrived, waiters, last;
	uint32_t node;
	uint64_t first_ns, last_ns;
	uint64_t waits_from_ns;           /* the sum of the times at which waiters began to wait */
	uint64_t first_ns_of_waits;       /* the earliest of them */
	uint64_t first_wait_ns;           /* likewise, later if that thread did something else meanwhile */
	struct profile_trace_point point; /* mark of the last arrival */
};

/*
 * A group's barriers. A thread that is one barrier ahead of others is in the next one, so at most two are open. In a
 * group whose members are not counted (`expected` 0), a barrier ends when the first thread leaves it.
 */
struct profile_trace_barriers {
	size_t expected;
	size_t size;     /* of a team, if it is known: when that many have arrived, no other thread will */
	uint64_t newest; /* number of the barrier that began last */
	struct profile_trace_gathering open[2];
};

struct profile_trace_waiter {
	size_t thread;
	uint32_t node; /* of the barrier, in the measurement's tree */
	uint64_t ns;
	bool waits; /* from here on; else it waits later */
};

void profile_trace_mark(const struct profile_trace_sync_hooks *hooks, void *context, struct profile_trace_point *point,
	size_t thread, uint64_t ns, int *error);

/* Like profile_trace_mark, if others may have arrived before, and all are waited for. */
void profile_trace_join(const struct profile_trace_sync_hooks *hooks, void *context, struct profile_trace_point *point,
	size_t thread, uint64_t ns, int *error);

/* The thread waited from `since_ns` on, and continued because of the point, unless the point is before the wait. */
void profile_trace_resume(const struct profile_trace_sync_hooks *hooks, void *context, size_t thread, uint64_t since_ns,
	const struct profile_trace_point *point);

/* Like profile_trace_resume, for a wait of a library without buffers, not of the program: nothing depends on it. */
void profile_trace_resume_only(const struct profile_trace_sync_hooks *hooks, void *context, size_t thread,
	uint64_t since_ns, const struct profile_trace_point *point);

void profile_trace_drop(const struct profile_trace_sync_hooks *hooks, void *context, struct profile_trace_point *point);

/* Returns the number of the barrier that a thread arrives at, if its earlier barriers are unknown. */
uint64_t profile_trace_barrier_number(const struct profile_trace_barriers *barriers);

int profile_trace_barrier_arrive(struct profile_trace_barriers *barriers, uint64_t number,
	const struct profile_trace_waiter *waiter, const struct profile_trace_sync_hooks *hooks, void *context);

/* The second half of a split-phase barrier begins. */
void profile_trace_barrier_wait(struct profile_trace_barriers *barriers, uint64_t number, uint64_t ns);

/* A thread that waits since `since_ns` did something else in between, such as a task. */
void profile_trace_barrier_busy(struct profile_trace_barriers *barriers, uint64_t number, uint64_t since_ns,
	const struct profile_trace_part *busy);

/* A thread leaves the barrier. *point becomes what ended it; without a token if that is unknown. */
int profile_trace_barrier_leave(struct profile_trace_barriers *barriers, uint64_t number,
	const struct profile_trace_sync_hooks *hooks, void *context, struct profile_trace_point *point);

/* Called when no further thread arrives. */
int profile_trace_barriers_end(
	struct profile_trace_barriers *barriers, const struct profile_trace_sync_hooks *hooks, void *context);

#endif
