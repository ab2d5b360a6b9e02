/* SPDX-License-Identifier: BSD-3-Clause */
/* What a region means for the threads that meet in it: what its event's description says. */
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

/* `ranked`: of a model that numbers the program's threads: all of them meet. */
struct profile_trace_kind {
	enum profile_trace_role role;
	bool ranked;
	uint8_t waits; /* COLLECTIVE: enum heddle_event_role, who waits for whom */
};

struct profile_trace_roles {
	struct profile_trace_kind *of_node; /* of the measurement's tree */
	size_t ranks;                       /* threads of the trace that are ranks */
};

/* 0 or -ENOMEM. */
int profile_trace_roles_find(struct profile_trace_roles *roles, const struct profile_trace *trace);
void profile_trace_roles_free(struct profile_trace_roles *roles);

/* The kind of a node, numbered as in the file. */
struct profile_trace_kind profile_trace_kind_of(
	const struct profile_trace_roles *roles, const struct profile_trace_file *file, uint32_t node);

bool profile_trace_is_rank(const struct profile_trace_thread *thread);

#endif
