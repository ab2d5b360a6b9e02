/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a runtime's events differ from what the specification says, and what is done about it. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_QUIRKS_H
#define HEDDLE_MODELS_OMPT_OMPT_QUIRKS_H

#include "models/ompt/ompt5.h"

/* Find out what there is to know of the runtime. Context: init. */
void heddle__ompt_know_runtime(ompt_function_lookup_t lookup);

/* The kind that is meant; `caller` is the address in the runtime that the callback returns to. Context: any thread. */
ompt_mutex_t heddle__ompt_lock_kind(ompt_mutex_t kind, uintptr_t caller);

static inline ompt_mutex_t heddle__ompt_mutex_kind(ompt_mutex_t kind, uintptr_t caller)
{
	return kind == ompt_mutex_lock || kind == ompt_mutex_nest_lock ? heddle__ompt_lock_kind(kind, caller) : kind;
}

#endif
