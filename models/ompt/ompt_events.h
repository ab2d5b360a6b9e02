/* SPDX-License-Identifier: BSD-3-Clause */
/* The versions of the tool interface, and what the callbacks of OpenMP 5's interface share with those of others. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_EVENTS_H
#define HEDDLE_MODELS_OMPT_OMPT_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/threads/thread.h"
#include "models/ompt/ompt5.h"

/* A process is measured through one version: the first that a runtime uses (repeatedly, if the runtime restarts). */
enum heddle_ompt_version { HEDDLE_OMPT_VERSION_5 = 1, HEDDLE_OMPT_VERSION_2015 };

/* True if this version of the interface may be used. Context: init. */
bool heddle__ompt_claim(enum heddle_ompt_version version);

/*
 * Attach to a runtime through its look-up function of OpenMP 5. `in_runtime` is an address in its code (0: unknown).
 * Returns 1, or 0 if the runtime cannot be measured. Context: init.
 */
int heddle__ompt_attach(ompt_function_lookup_t lookup, uintptr_t in_runtime);

/* True if the worker is idle while no task is current. Context: owner thread, inside. */
void heddle__ompt_set_idle(struct heddle_thread *thread, bool idle);

#endif
