/* SPDX-License-Identifier: BSD-3-Clause */
/* The event registry: every kind of event that front ends deliver, under one number each. */
#ifndef HEDDLE_CORE_EVENT_H
#define HEDDLE_CORE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "format/ids.h"

#define HEDDLE_EVENT_LIMIT 8192

struct heddle_event {
	const char *model; /* "openmp" */
	const char *name;  /* the specification's: "ompt_callback_sync_region" */
	const char *label; /* for people: "omp barrier" */
	uint8_t category;  /* enum heddle_category */
	uint16_t id;       /* given at registration */
	bool selected;     /* to be measured (HEDDLE_EVENTS); given at registration */
	bool generated;    /* the name is made up for a number that no vocabulary knows */
	uint8_t state;     /* enum heddle_state of time spent in it; given at registration */
};

/* Number the `count` kinds of a model's table; the table must stay. Context: init. Returns 0 or -ENOSPC. */
int heddle__events_register(struct heddle_event *events, unsigned int count);

/*
 * A kind that turned up while running; the texts are copied. `generated`: the name is made up. NULL: no room for more.
 * Context: any thread, not a signal handler.
 */
const struct heddle_event *heddle__event_add(const char *model, const char *name, const char *label, bool generated);

/* Kinds so far, and one by id (1, 2, ...). Context: any thread, signal. */
unsigned int heddle__event_kinds(void);
const struct heddle_event *heddle__event_by_id(unsigned int id);

/* The state that time in regions of a category counts as. Context: any thread, signal. */
enum heddle_state heddle__category_state(unsigned int category);

#endif
