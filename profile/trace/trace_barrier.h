/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The barriers of a group of threads, one after the other: who arrived, who was last, how long the others waited. Used
 * by trace_sync.c; marked points also by trace_exchange.c.
 */
#ifndef HEDDLE_PROFILE_TRACE_BARRIER_H
#define HEDDLE_PROFILE_TRACE_BARRIER_H

#include "profile/trace/trace_sync.h"

/* Something marked, on which threads may depend. */
struct profile_trace_point {
	void *token; /* NULL: nothing, or marks are not asked for */
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
	uint64_t first_ns_of_waits;       /* the least of them */
	uint64_t first_wait_ns;           /* the same, later by what that thread did meanwhile */
	struct profile_trace_point point; /* the last arrival */
};

/*
 * A group's barriers. A thread that is one barrier ahead of another is in the next one, so there are two at most; in a
 * group whose members are not counted (`expected` 0), a barrier is over when the first thread leaves it.
 */
struct profile_trace_barriers {
	size_t expected;
	size_t size;     /* of a team, if that is known: when as many have arrived, nobody else will */
	uint64_t newest; /* number of the barrier that began last */
	struct profile_trace_gathering open[2];
};

struct profile_trace_waiter {
	size_t thread;
	uint32_t node; /* of the barrier, in the measurement's tree */
	uint64_t ns;
	bool waits; /* from here on, not later */
};

void profile_trace_mark(const struct profile_trace_sync_hooks *hooks, void *context, struct profile_trace_point *point,
	size_t thread, uint64_t ns, int *error);

/* The same, where another thread may have come before and all are waited for. */
void profile_trace_join(const struct profile_trace_sync_hooks *hooks, void *context, struct profile_trace_point *point,
	size_t thread, uint64_t ns, int *error);

/* The thread waited from `since_ns` on, and went on because of the point, unless that lies before the wait. */
void profile_trace_resume(const struct profile_trace_sync_hooks *hooks, void *context, size_t thread, uint64_t since_ns,
	const struct profile_trace_point *point);

/* The same of a wait that is none of the program's, but of a library without buffers: nothing depends on it. */
void profile_trace_resume_only(const struct profile_trace_sync_hooks *hooks, void *context, size_t thread,
	uint64_t since_ns, const struct profile_trace_point *point);

void profile_trace_drop(const struct profile_trace_sync_hooks *hooks, void *context, struct profile_trace_point *point);

/* The number of the barrier that a thread arrives at whose earlier ones are not known. */
uint64_t profile_trace_barrier_number(const struct profile_trace_barriers *barriers);

int profile_trace_barrier_arrive(struct profile_trace_barriers *barriers, uint64_t number,
	const struct profile_trace_waiter *waiter, const struct profile_trace_sync_hooks *hooks, void *context);

/* The second half of a split-phase barrier begins. */
void profile_trace_barrier_wait(struct profile_trace_barriers *barriers, uint64_t number, uint64_t ns);

/* A thread that waits since `since_ns` did something else in between, such as a task. */
void profile_trace_barrier_busy(struct profile_trace_barriers *barriers, uint64_t number, uint64_t since_ns,
	const struct profile_trace_part *busy);

/* A thread leaves the barrier. *point: what ended it; without a token if that is not known. */
int profile_trace_barrier_leave(struct profile_trace_barriers *barriers, uint64_t number,
	const struct profile_trace_sync_hooks *hooks, void *context, struct profile_trace_point *point);

/* No thread arrives any more. */
int profile_trace_barriers_end(
	struct profile_trace_barriers *barriers, const struct profile_trace_sync_hooks *hooks, void *context);

#endif
