/* SPDX-License-Identifier: BSD-3-Clause */
/* The meaning of regions for threads that wait for each other, by the descriptions of their events. */
#ifndef HEDDLE_PROFILE_TRACE_ROLES_H
#define HEDDLE_PROFILE_TRACE_ROLES_H

#include "profile/trace/trace.h"

enum profile_trace_role {
	HEDDLE_ROLE_NONE,
	HEDDLE_ROLE_BARRIER,
	HEDDLE_ROLE_NOTIFY, /* arrives at a barrier and does not wait */
	HEDDLE_ROLE_AWAIT,  /* waits for a barrier at which it has arrived */
	HEDDLE_ROLE_LOCK,
	HEDDLE_ROLE_ATTEMPT, /* acquires a lock if it is free */
	HEDDLE_ROLE_UNLOCK,
	HEDDLE_ROLE_ACCESS, /* a message, or another step of ranks' communication */
	HEDDLE_ROLE_COLLECTIVE,
	HEDDLE_ROLE_PARALLEL,
	HEDDLE_ROLE_TASKS /* waits for tasks */
};

/* `ranked`: of a model that numbers the program's threads, all of which meet. */
struct profile_trace_kind {
	enum profile_trace_role role;
	bool ranked;
	uint8_t waits; /* COLLECTIVE: enum heddle_event_role: who waits for whom */
};

struct profile_trace_roles {
	struct profile_trace_kind *of_node; /* by node of the measurement's tree */
	size_t ranks;                       /* number of the trace's threads that are ranks */
};

/* Returns 0 or -ENOMEM. */
int profile_trace_roles_find(struct profile_trace_roles *roles, const struct profile_trace *trace);
void profile_trace_roles_free(struct profile_trace_roles *roles);

/* Returns the kind of a node of the file. */
struct profile_trace_kind profile_trace_kind_of(
	const struct profile_trace_roles *roles, const struct profile_trace_file *file, uint32_t node);

bool profile_trace_is_rank(const struct profile_trace_thread *thread);

#endif
