/* SPDX-License-Identifier: BSD-3-Clause */
/* Callbacks of events that have no duration, and of omp_control_tool. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_COUNTS_H
#define HEDDLE_MODELS_OMPT_OMPT_COUNTS_H

#include "models/ompt/ompt5.h"

/* Ask the runtime for these callbacks; returns how many it will deliver. Context: init. */
unsigned int heddle__ompt_set_counts(ompt_set_callback_t set_callback);

/*
 * What omp_control_tool asks for; returns what it is to return (OpenMP 5.2, section 18.14).
 * Context: any thread, not a signal handler.
 */
int heddle__ompt_control(uint64_t command);

#endif
