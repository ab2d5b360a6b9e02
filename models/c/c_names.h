/* SPDX-License-Identifier: BSD-3-Clause */
/* The event kinds of the C model. */
#ifndef HEDDLE_MODELS_C_C_NAMES_H
#define HEDDLE_MODELS_C_C_NAMES_H

#include "core/tree/event.h"

/* KEY, the specification's name, label, category */
#define HEDDLE_C_EVENTS(X)                                  \
	X(FUNC, "GASP_C_FUNC", "function", FUNCTION)        \
	X(MALLOC, "GASP_C_MALLOC", "malloc", ALLOCATION)    \
	X(REALLOC, "GASP_C_REALLOC", "realloc", ALLOCATION) \
	X(FREE, "GASP_C_FREE", "free", ALLOCATION)

enum heddle_c_event {
#define X(key, name, label, category) HEDDLE_C_##key,
	HEDDLE_C_EVENTS(X)
#undef X
		HEDDLE_C_EVENT_COUNT
};

extern struct heddle_event heddle__c_events[HEDDLE_C_EVENT_COUNT];

#endif
