/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which thread waited for which: follows the events of all threads in the order of time, and finds the barriers at
 * which threads meet, locks handed over, teams that begin, tasks that are created and end. Analyses register functions.
 * Memory is bounded by what is open at the same time: regions, teams, tasks, and locks.
 */
#ifndef HEDDLE_PROFILE_TRACE_SYNC_H
#define HEDDLE_PROFILE_TRACE_SYNC_H

#include "profile/trace/trace.h"

/* A barrier at which the threads of a team, or all ranks, have met. Threads are indices into the trace's. */
struct profile_trace_meeting {
	size_t threads;      /* that arrived */
	size_t last;         /* the last one to arrive */
	uint32_t node;       /* of the barrier on that thread, in the measurement's tree */
	uint64_t first_ns;   /* arrival of the first one */
	uint64_t last_ns;    /* and of the last one */
	uint64_t waited_ns;  /* by all others together, until the last one arrived */
	uint64_t longest_ns; /* by the one that waited longest */
};

/* All but `met` may be NULL together, and `met` may be NULL. Called in the order of time. */
struct profile_trace_sync_hooks {
	/* Something that other threads may wait for happened: returns a token for it; NULL: no memory. */
	void *(*mark)(void *context, size_t thread, uint64_t ns);
	void (*drop)(void *context, void *token);
	/* A thread that had waited since `since_ns` could go on because of what was marked. */
	void (*resume)(void *context, size_t thread, uint64_t since_ns, const void *token);
	/* A thread's first event. `creator`: the first thread of its process; itself if it is that one. */
	void (*begin)(void *context, size_t thread, size_t creator, uint64_t ns);
	/* Any event; `ns` does not decrease. */
	void (*event)(void *context, size_t thread, uint64_t ns);
	/* All threads have arrived at a barrier. */
	int (*met)(void *context, const struct profile_trace_meeting *meeting);
};

/* 0 or a negative error. */
int profile_trace_sync(const struct profile_trace *trace, const struct profile_trace_sync_hooks *hooks, void *context);

#endif
