/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the doors share: the connection to libheddle.so, numbers of names, the thread's stack of ranges that end without
 * a name, and ranges that any thread may end. A door is one file: it has the functions that another tool would have,
 * under the names by which programs ask for them. Nothing here uses the program's heap. Context: any thread, not a
 * signal handler.
 */
#ifndef HEDDLE_MODELS_ANNOTATIONS_DOOR_H
#define HEDDLE_MODELS_ANNOTATIONS_DOOR_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "core/base/likely.h"
#include "core/host/host_functions.h"
#include "models/annotations/annotation_calls.h"

/* Waits: key, symbolic name, label. */
#define HEDDLE_DOOR_EVENTS(X) X(KOKKOS_FENCE, "kokkosp_fence", "Kokkos fence", FENCE)

enum heddle_door_event {
#define X(key, name, label, category) HEDDLE_DOOR_##key,
	HEDDLE_DOOR_EVENTS(X)
#undef X
		HEDDLE_DOOR_EVENT_COUNT
};

extern struct heddle_event heddle__door_events[HEDDLE_DOOR_EVENT_COUNT];

/* NULL: nothing is measured, and doors do nothing. */
extern const struct heddle_annotation_interface *heddle__door;

/* The number of a name as the interface has it; of NULL or "", that of `instead`. Fast for what was named before. */
uint32_t heddle__door_name(const char *text, const char *instead);
uint32_t heddle__door_wide_name(const wchar_t *text, const char *instead);

/*
 * Ranges that end in the order of a stack, one for each `owner` (a domain, a tool): push and pop begin and end them.
 * Pop of none is reported, once for each door (`door` NULL: not), and returns -1. Else both return the range's level,
 * from 0.
 */
int heddle__door_push(
	const struct heddle_call *from, const void *owner, uint32_t name, const struct heddle_annotation_value *value);
int heddle__door_pop(const void *owner, const char *door);

/*
 * A range that any thread may end: its number, 0 if there are too many. Its end is counted where it ends, with the
 * elapsed time as value "seconds=%g".
 */
uint64_t heddle__door_start(uint32_t name, const char *door);
void heddle__door_stop(const struct heddle_call *from, uint64_t range, const char *door);

/* A range of that name ends in any order; reports it if none is open. */
void heddle__door_end(uint32_t name, const char *door);

/* The next definition of a function that a door stands in front of; NULL: there is none. */
void *heddle__door_next(const char *name);

#endif
