/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a runtime's events deviate from the specification, and the workarounds. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_QUIRKS_H
#define HEDDLE_MODELS_OMPT_OMPT_QUIRKS_H

#include <stdbool.h>

#include "models/ompt/ompt5.h"

/* Look up the functions of the runtime that need workarounds. Context: init. */
void heddle__ompt_know_runtime(ompt_function_lookup_t lookup);

/* The actual kind; `caller`: the address in the runtime that the callback returns to. Context: any thread. */
ompt_mutex_t heddle__ompt_lock_kind(ompt_mutex_t kind, uintptr_t caller);

/*
 * Whether the runtime's code at that place begins GCC's `sections`, which LLVM's runtimes report as a loop, without an
 * address. Context: any thread.
 */
bool heddle__ompt_begins_sections(uint64_t place);

static inline ompt_mutex_t heddle__ompt_mutex_kind(ompt_mutex_t kind, uintptr_t caller)
{
	return kind == ompt_mutex_lock || kind == ompt_mutex_nest_lock ? heddle__ompt_lock_kind(kind, caller) : kind;
}

#endif
