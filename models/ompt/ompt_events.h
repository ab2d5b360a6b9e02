/* SPDX-License-Identifier: BSD-3-Clause */
/* The doors (ways by which a runtime finds the tool), and the callbacks of OpenMP 5.x's. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_EVENTS_H
#define HEDDLE_MODELS_OMPT_OMPT_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/threads/thread.h"
#include "models/ompt/ompt5.h"

/* A process is measured through one door: the first that a runtime uses (repeatedly, if the runtime restarts). */
enum heddle_ompt_door { HEDDLE_OMPT_DOOR_5 = 1, HEDDLE_OMPT_DOOR_2015 };

/* True if the door may be used. Context: init. */
bool heddle__ompt_claim(enum heddle_ompt_door door);

/*
 * Attach to a runtime that answers the look-ups of OpenMP 5; `in_runtime`: an address in its code (0: unknown). Returns
 * 1, or 0 if it cannot be measured. Context: init.
 */
int heddle__ompt_attach(ompt_function_lookup_t lookup, uintptr_t in_runtime);

/* Whether the worker is idle while no task is current. Context: owner thread, inside. */
void heddle__ompt_set_idle(struct heddle_thread *thread, bool idle);

#endif
