/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which thread waited for which: follows the events of all threads in the order of time, and finds the barriers at
 * which threads meet, collectives, messages, locks handed over, teams that begin, tasks that are created and end.
 * Analyses register functions.
 * Memory is bounded by what is open at the same time: regions, teams, tasks, and locks.
 */
#ifndef HEDDLE_PROFILE_TRACE_SYNC_H
#define HEDDLE_PROFILE_TRACE_SYNC_H

#include "profile/trace/trace.h"

/* Why threads waited for another one. */
enum profile_trace_wait {
	HEDDLE_WAIT_BARRIER,
	HEDDLE_WAIT_MUTUAL,   /* a collective in which all wait for all */
	HEDDLE_WAIT_ROOT,     /* ... in which all wait for the root */
	HEDDLE_WAIT_MEMBERS,  /* ... in which the root waits for all */
	HEDDLE_WAIT_PREFIX,   /* ... in which each waits for those before it */
	HEDDLE_WAIT_SENDER,   /* a receive, for a message that was not sent yet */
	HEDDLE_WAIT_RECEIVER, /* a send, for a receive that had not begun */
	HEDDLE_WAIT_POST,     /* an access, for permission to use a window's memory */
	HEDDLE_WAIT_COMPLETE, /* for the end of accesses to a window's memory */
	HEDDLE_WAIT_LOCK,     /* for a lock of ranks that another one has */
	HEDDLE_WAITS
};

/* A thread that waited. */
struct profile_trace_waiting {
	size_t thread;
	uint32_t node; /* of the region in which it waited, in the measurement's tree */
	uint64_t ns;
};

/*
 * A barrier at which the threads of a team, or all ranks, have met; or a collective, or a message, with those that
 * waited. Threads are indices into the trace's.
 */
struct profile_trace_meeting {
	enum profile_trace_wait kind;
	const struct profile_trace_waiting *waits; /* NULL: only sums are known */
	size_t wait_count;
	size_t threads;      /* that arrived */
	size_t last;         /* the last thread to arrive */
	uint32_t node;       /* of the barrier on that thread, in the measurement's tree */
	uint64_t first_ns;   /* arrival of the first one */
	uint64_t last_ns;    /* and of the last one */
	uint64_t waited_ns;  /* by all others together, until the last one arrived */
	uint64_t longest_ns; /* by the one that waited longest */
};

/* Any may be NULL; `drop` comes with `mark`. All but `met` are called in the order of time. */
struct profile_trace_sync_hooks {
	/* An event that other threads may wait for happened. Returns a token for it; NULL: no memory. */
	void *(*mark)(void *context, size_t thread, uint64_t ns);
	/* Another thread arrived where all wait for all. NULL: only the last thread counts, and has the mark. */
	void (*join)(void *context, void *token, size_t thread, uint64_t ns);
	void (*drop)(void *context, void *token);
	/* A thread that had waited since `since_ns` continued because of the marked event. */
	void (*resume)(void *context, size_t thread, uint64_t since_ns, const void *token);
	/* Like `resume`, whether the thread had to wait or not. */
	void (*depend)(void *context, size_t thread, const void *token);
	/* A thread's first event. `creator` is the first thread of its process, perhaps the thread itself. */
	void (*begin)(void *context, size_t thread, size_t creator, uint64_t ns);
	/*
	 * Before and after everything that an event leads to. Afterwards the thread is in `node` of the measurement's
	 * tree.
	 */
	void (*enter)(void *context, size_t thread, uint64_t ns);
	void (*leave)(void *context, size_t thread, uint32_t node);
	/* Any event; `ns` does not decrease. */
	void (*event)(void *context, size_t thread, uint64_t ns);
	/* All threads have arrived at a barrier; or some waited in a collective, or for a message. */
	int (*met)(void *context, const struct profile_trace_meeting *meeting);
};

/* Returns 0 or a negative error. */
int profile_trace_sync(const struct profile_trace *trace, const struct profile_trace_sync_hooks *hooks, void *context);

#endif
