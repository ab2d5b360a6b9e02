/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the APIs share: the connection to libheddle.so, numbers of names, each thread's stack of ranges that end without
 * a name, and ranges that any thread may end. An API is one file, which defines the functions of another tool, under
 * the names that programs look up. Nothing here uses the program's heap. Context: any thread, not a signal handler.
 */
#ifndef HEDDLE_MODELS_ANNOTATIONS_API_H
#define HEDDLE_MODELS_ANNOTATIONS_API_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "core/base/likely.h"
#include "core/host/host_functions.h"
#include "models/annotations/annotation_calls.h"

/* Waits: key, symbolic name, label. */
#define HEDDLE_API_EVENTS(X) X(KOKKOS_FENCE, "kokkosp_fence", "Kokkos fence", FENCE)

enum heddle_api_event {
#define X(key, name, label, category) HEDDLE_API_##key,
	HEDDLE_API_EVENTS(X)
#undef X
		HEDDLE_API_EVENT_COUNT
};

extern struct heddle_event heddle__api_events[HEDDLE_API_EVENT_COUNT];

/* NULL: nothing is measured, and APIs do nothing. */
extern const struct heddle_annotation_interface *heddle__api;

/* Returns the number of a name, as heddle__api->name does; for NULL or "", that of `instead`. Fast for known names. */
uint32_t heddle__api_name(const char *text, const char *instead);
uint32_t heddle__api_wide_name(const wchar_t *text, const char *instead);

/*
 * Begin and end ranges that end in the order of a stack, one stack for each `owner` (a domain, a tool). A pop without
 * an open range is reported, once for each API (`api` NULL: never), and returns -1. Otherwise both return the range's
 * level, from 0.
 */
int heddle__api_push(
	const struct heddle_call *from, const void *owner, uint32_t name, const struct heddle_annotation_value *value);
int heddle__api_pop(const void *owner, const char *api);

/*
 * Begins a range that any thread may end: returns its number, 0 if there are too many. It is counted where it ends,
 * with the elapsed time as value "seconds=%g".
 */
uint64_t heddle__api_start(uint32_t name, const char *api);
void heddle__api_stop(const struct heddle_call *from, uint64_t range, const char *api);

/* Ends the range of that name, in any order; reports it if none is open. */
void heddle__api_end(uint32_t name, const char *api);

/* Returns the next definition of a function that an API wraps; NULL: none. */
void *heddle__api_next(const char *name);

#endif
