/* SPDX-License-Identifier: BSD-3-Clause */
/* Deviations of runtimes' events from the specification, and the workarounds. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_QUIRKS_H
#define HEDDLE_MODELS_OMPT_OMPT_QUIRKS_H

#include <stdbool.h>
#include <stdint.h>

#include "models/ompt/ompt5.h"

/* Look up the functions of the runtime that need workarounds. Context: init. */
void heddle__ompt_know_runtime(ompt_function_lookup_t lookup);

/* Code of a function that the runtime exports; size 0: the runtime has no function of that name. Set once. */
struct heddle_ompt_function {
	uintptr_t low, size;
};

extern struct heddle_ompt_function heddle__ompt_test_lock, heddle__ompt_test_nest_lock;

/*
 * True if the runtime's code at that place begins GCC's `sections`, which LLVM's runtimes report as a loop without an
 * address. Context: any thread.
 */
bool heddle__ompt_begins_sections(uint64_t place);

static inline bool heddle__ompt_is_in_function(const struct heddle_ompt_function *function, uintptr_t address)
{
	return address - function->low < function->size;
}

/* Returns the actual kind. `caller` is the address in the runtime that the callback returns to. Context: any thread. */
static inline ompt_mutex_t heddle__ompt_mutex_kind(ompt_mutex_t kind, uintptr_t caller)
{
	if (kind == ompt_mutex_lock && heddle__ompt_is_in_function(&heddle__ompt_test_lock, caller))
		return ompt_mutex_test_lock;
	if (kind == ompt_mutex_nest_lock && heddle__ompt_is_in_function(&heddle__ompt_test_nest_lock, caller))
		return ompt_mutex_test_nest_lock;
	return kind;
}

#endif
