/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A trace as a sequence of steps, as formats of other tools have them: regions by nodes of the view, begun and ended in
 * pairs on each thread; samples; accesses; tasks. The steps of all threads are in the order of time. Memory holds each
 * thread's open regions, and the tasks that exist at the same time.
 */
#ifndef HEDDLE_EXPORT_TRACE_STEPS_H
#define HEDDLE_EXPORT_TRACE_STEPS_H

#include "export/formats.h"

#define EXPORT_NO_NODE UINT32_MAX

enum export_step_kind {
	EXPORT_ENTER,    /* a region begins; without `visit` it is resumed, such as a task after a switch */
	EXPORT_LEAVE,    /* the innermost region ends; same node as its ENTER */
	EXPORT_MOMENT,   /* an event without duration; a visit */
	EXPORT_SAMPLE,   /* event: periods, cpu_ns */
	EXPORT_ACCESS,   /* event: operand, partner, value */
	EXPORT_MESSAGE,  /* event: operand, group, partner, tag, value, request */
	EXPORT_AMOUNT,   /* metric, amount: added to it */
	EXPORT_ARGUMENT, /* argument of a user event; event: operand, text, real */
	EXPORT_FORK,     /* a parallel region is opened; ended by JOIN on the same thread */
	EXPORT_JOIN,
	EXPORT_TEAM_BEGIN, /* the thread begins its part of a parallel region; ended by TEAM_END */
	EXPORT_TEAM_END,
	EXPORT_TASK_CREATE, /* task */
	EXPORT_TASK_SWITCH, /* the thread executes that task from here on */
	EXPORT_TASK_END,
	EXPORT_OFF, /* nothing is recorded from here to ON: a pause, or dropped records */
	EXPORT_ON,
	EXPORT_ATTRIBUTES, /* of a record that has no other step */
	EXPORT_STALLED,    /* the thread waited from since_ns to time_ns until records were written */
};

/* The values of ATTRIBUTE records that follow a record. */
struct export_attributes {
	uint32_t given; /* bits 1 << enum heddle_trace_attribute */
	uint64_t value[HEDDLE_TRACE_ATTRIBUTES];
};

static inline bool export_has(const struct export_attributes *attributes, enum heddle_trace_attribute attribute)
{
	return attributes->given >> attribute & 1;
}

/* A task. */
struct export_task {
	uint64_t number; /* unique in the export; 0: an implicit task, of the thread itself */
	size_t creator;  /* thread */
	uint32_t nth;    /* number among its creator's tasks, from 1; 0: implicit */
	bool started;
};

struct export_step {
	enum export_step_kind kind;
	size_t thread;              /* index into the trace's threads */
	uint64_t time_ns, since_ns; /* time_ns never decreases on a thread */
	uint32_t node;              /* of the view: the region, the path of the sample, or where the step happened */
	bool visit;
	uint32_t metric; /* number of profile/file/metric.h */
	uint64_t amount; /* in the metric's unit */
	struct export_task task;
	const struct profile_trace_event *event;    /* the record; NULL, or of kind HEDDLE_TRACE_KINDS: none */
	const struct export_attributes *attributes; /* never NULL */
};

/*
 * Calls `each` for every step. At the end of the trace closes all regions, with the time of the end of the profile if
 * it is known. Returns the first nonzero result of `each`, or 0 or a negative error.
 */
int export_trace_steps(const struct export_request *request, int (*each)(void *context, const struct export_step *step),
	void *context);

/* Writes the name of a thread as in reports. */
void export_thread_name(const struct export_request *request, size_t thread, char *name, size_t size);

/* Writes the name of a process: its ranks or pid, and program. */
void export_process_name(
	const struct export_request *request, const struct profile_process *process, char *name, size_t size);

#endif
