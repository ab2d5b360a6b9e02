/* SPDX-License-Identifier: BSD-3-Clause */
/* Registration of callbacks with the runtime, and what the files with callbacks share. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_CALLBACKS_H
#define HEDDLE_MODELS_OMPT_OMPT_CALLBACKS_H

#include <stddef.h>

#include "models/ompt/ompt5.h"

struct heddle_ompt_callback {
	ompt_callbacks_t number;
	ompt_callback_t function;
	const char *name; /* registered only if events of this name are selected; NULL: always */
};

/* These return how many callbacks the runtime will deliver. Context: init. */

/* Registers all callbacks. */
unsigned int heddle__ompt_set_callbacks(ompt_set_callback_t set_callback);

/*
 * Register callbacks: the given ones; those of threads, regions and their tasks; of explicit tasks; of waits and
 * blocks; of events without duration and omp_control_tool; of target constructs.
 */
unsigned int heddle__ompt_register(
	ompt_set_callback_t set_callback, const struct heddle_ompt_callback *callbacks, size_t count);
unsigned int heddle__ompt_set_regions(ompt_set_callback_t set_callback);
unsigned int heddle__ompt_set_tasks(ompt_set_callback_t set_callback);
unsigned int heddle__ompt_set_waits(ompt_set_callback_t set_callback);
unsigned int heddle__ompt_set_counts(ompt_set_callback_t set_callback);
unsigned int heddle__ompt_set_target(ompt_set_callback_t set_callback);

struct heddle_thread;

/* A lock is initialized or destroyed: a thread that held it no longer holds it. Context: owner thread, inside. */
void heddle__ompt_forget_lock(struct heddle_thread *thread, ompt_mutex_t kind, ompt_wait_id_t wait_id);

/* The thread has no task any more: pop all entries. Context: owner thread, inside. */
void heddle__ompt_leave_tasks(struct heddle_thread *thread);

/*
 * Execute a command of omp_control_tool; returns that function's result (OpenMP 5.2, section 18.14). Context: any
 * thread, not a signal handler.
 */
int heddle__ompt_control(uint64_t command);

#endif
