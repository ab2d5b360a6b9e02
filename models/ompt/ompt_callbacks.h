/* SPDX-License-Identifier: BSD-3-Clause */
/* How the files with callbacks hand them to the runtime, and what they share. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_CALLBACKS_H
#define HEDDLE_MODELS_OMPT_OMPT_CALLBACKS_H

#include <stddef.h>

#include "models/ompt/ompt5.h"

struct heddle_ompt_callback {
	ompt_callbacks_t number;
	ompt_callback_t function;
	const char *name; /* only if events of that name are to be measured; NULL: always */
};

/* Ask the runtime for these, for those of explicit tasks, for those of waits and blocks, for those of events without
 * duration and omp_control_tool, and for those of target constructs; each returns how many it will deliver. Context:
 * init. */
unsigned int heddle__ompt_register(
	ompt_set_callback_t set_callback, const struct heddle_ompt_callback *callbacks, size_t count);
unsigned int heddle__ompt_set_tasks(ompt_set_callback_t set_callback);
unsigned int heddle__ompt_set_waits(ompt_set_callback_t set_callback);
unsigned int heddle__ompt_set_counts(ompt_set_callback_t set_callback);
unsigned int heddle__ompt_set_target(ompt_set_callback_t set_callback);

struct heddle_thread;

/* The thread has no task any more: all entries go. Context: owner thread, inside. */
void heddle__ompt_leave_tasks(struct heddle_thread *thread);

/*
 * What omp_control_tool asks for; returns what it is to return (OpenMP 5.2, section 18.14).
 * Context: any thread, not a signal handler.
 */
int heddle__ompt_control(uint64_t command);

#endif
