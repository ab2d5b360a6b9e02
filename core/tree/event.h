/* SPDX-License-Identifier: BSD-3-Clause */
/* The event registry: each kind of event that front ends report has one number. */
#ifndef HEDDLE_CORE_EVENT_H
#define HEDDLE_CORE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "format/ids.h"

#define HEDDLE_EVENT_LIMIT 8192

struct heddle_event {
	const char *model; /* as in its struct heddle_model, if it has one */
	const char *name;  /* as in the specification: "ompt_callback_sync_region" */
	const char *label; /* as shown to users: "omp barrier" */
	uint8_t category;  /* enum heddle_category */
	uint16_t id;       /* set at registration */
	bool selected;     /* to be measured (HEDDLE_EVENTS); set at registration */
	bool generated;    /* the name is generated for a number that no vocabulary contains */
	uint8_t state;     /* enum heddle_state of time spent in it; set at registration */
	uint8_t role;      /* enum heddle_event_role */
};

/* Numbers the `count` kinds of a model's table, which must stay valid. Returns 0 or -ENOSPC. Context: init. */
int heddle__events_register(struct heddle_event *events, unsigned int count);

/*
 * Adds a kind that is first seen during the run; the texts are copied. `generated`: the name is generated. Returns NULL
 * if there is no room. Context: any thread, not a signal handler.
 */
const struct heddle_event *heddle__event_add(const char *model, const char *name, const char *label, bool generated);

/*
 * Marks regions of that kind as held locks (core/threads/region.h). Context: init. The query's context: any thread,
 * signal.
 */
void heddle__event_means_held_lock(const struct heddle_event *event);
bool heddle__event_is_held_lock(unsigned int id);

/*
 * Marks a kind whose regions always get their END, so nothing else has to end them. Context: init. The query returns
 * true for held locks, too, which only their release or their task ends; its context: any thread, signal.
 */
void heddle__event_always_ends(const struct heddle_event *event);
bool heddle__event_is_sure_to_end(unsigned int id);

/*
 * Marks a kind that is one of hundreds of which a program uses a few: it is written to the profile only if the tree
 * has a node of it. Context: init. The query's context: any thread, signal.
 */
void heddle__event_means_sparse(const struct heddle_event *event);
bool heddle__event_is_sparse(unsigned int id);

/* The number of kinds so far, and a kind by id (1, 2, ...). Context: any thread, signal. */
unsigned int heddle__event_kinds(void);
const struct heddle_event *heddle__event_by_id(unsigned int id);

/* Returns the state of time in regions of a category. Context: any thread, signal. */
enum heddle_state heddle__category_state(unsigned int category);

#endif
