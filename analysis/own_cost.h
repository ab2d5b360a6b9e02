/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of the measurement itself: its CPU time by kind of event, and the option that would reduce it. */
#ifndef HEDDLE_ANALYSIS_OWN_COST_H
#define HEDDLE_ANALYSIS_OWN_COST_H

#include "profile/file/measurement.h"

#define HEDDLE_OWN_ADVICE 600 /* bytes, enough for any advice */
#define HEDDLE_OWN_KINDS 3

/* A kind of event. */
struct heddle_own_kind {
	uint64_t cost;     /* ns, of the measurement's own */
	const char *label; /* as in reports, "upc get" */
	size_t event;      /* index into the tree's events; event_count: functions; above: phases */
};

struct heddle_own_cost {
	uint64_t cpu;                                   /* ns, in total */
	uint64_t own;                                   /* ns, of the measurement itself */
	uint64_t samples;                               /* approximate number of samples that `own` was measured by */
	struct heddle_own_kind kinds[HEDDLE_OWN_KINDS]; /* those with a tenth of it or more, the most expensive first */
	size_t kind_count;
	const char *advice; /* NULL: none. A sentence without its period; names are between ` and ` */
	char text[HEDDLE_OWN_ADVICE];
};

/*
 * Sums the values of a measurement. `function` is the name of the user's function with most of the cost, for advice, or
 * NULL. Returns 0 or -ENOMEM.
 */
int heddle__own_cost_make(
	struct heddle_own_cost *cost, const struct profile_measurement *measurement, const char *function);

/* True if the cost is so high that the user should know, and enough samples show it. */
bool heddle__own_cost_matters(const struct heddle_own_cost *cost);

#endif
