/* SPDX-License-Identifier: BSD-3-Clause */
/* Causes and effects between the ranks of a program, found one by one in the events of a thread. */
#ifndef HEDDLE_PROFILE_TRACE_CAUSE_H
#define HEDDLE_PROFILE_TRACE_CAUSE_H

#include "profile/trace/trace_roles.h"

enum profile_trace_cause_kind {
	HEDDLE_CAUSE_ENTER,   /* the thread arrives at a barrier, or at a collective that synchronizes all */
	HEDDLE_CAUSE_LEAVE,   /* it leaves the last one that it entered; not if that has no duration */
	HEDDLE_CAUSE_JOIN,    /* it comes to a collective of a communicator that is not an ENTER */
	HEDDLE_CAUSE_PART,    /* it leaves one */
	HEDDLE_CAUSE_ACQUIRE, /* it has acquired the lock */
	HEDDLE_CAUSE_RELEASE, /* it begins to release the lock */
	HEDDLE_CAUSE_SEND,    /* it begins to send a message, or to complete accesses to a window */
	HEDDLE_CAUSE_RECEIVE, /* it has received a message, or completed such accesses */
	HEDDLE_CAUSE_LOSS,    /* events are missing or were not measured: open entries are unknown */
};

struct profile_trace_cause {
	enum profile_trace_cause_kind kind;
	bool collective; /* ENTER */
	uint64_t ns;     /* since zero_ns */
	uint64_t lock;   /* its number */
	/*
	 * SEND, RECEIVE: number of the communicator in the file; the other's rank in the program; tag, below -1 for a
	 * window.
	 */
	uint32_t group;
	int64_t partner, tag;
	/* JOIN: the communicator; enum heddle_event_role; `partner` is the root, negative: none. */
	uint64_t identity;
	uint8_t waits;
	uint64_t across;  /* as HEDDLE_TRACE_ACROSS; 0: a single group */
	uint64_t request; /* JOIN, PART: of one that continues after its call returns; 0: none */
};

/* The state of a thread. All zeros: nothing is known yet. */
struct profile_trace_causer {
	bool begun, lost;
	size_t chunk;
	size_t wait;        /* depth of the stack with the region in which it waits; 0: it does not */
	uint32_t wait_node; /* node of that region */
	bool parts;         /* that region is a collective of a communicator */
	/* The event that following attributes belong to: */
	enum profile_trace_role role;
	bool opens;  /* a region begins */
	bool ranked; /* of the model that numbers the program's ranks */
	uint32_t node;
	uint64_t ns;
	uint8_t waits;
	int64_t root; /* negative: none */
	uint64_t across;
};

/* True if the event, the last one of the stream, is a cause or an effect, which is written to *cause. */
bool profile_trace_cause_of(struct profile_trace_causer *causer, const struct profile_trace_roles *roles,
	const struct profile_trace_stream *stream, const struct profile_trace_event *event,
	struct profile_trace_cause *cause);

#endif
