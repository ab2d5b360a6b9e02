/* SPDX-License-Identifier: BSD-3-Clause */
/* What a measurement itself cost: its CPU time by kind of event, and the option that would reduce it. */
#ifndef HEDDLE_ANALYSIS_OWN_COST_H
#define HEDDLE_ANALYSIS_OWN_COST_H

#include "profile/file/measurement.h"

#define HEDDLE_OWN_ADVICE 600 /* bytes, enough for any advice */
#define HEDDLE_OWN_KINDS 3

/* A kind of event. */
struct heddle_own_kind {
	uint64_t cost;     /* ns, of the measurement's own */
	const char *label; /* as in reports, "upc get" */
	size_t event;      /* among the tree's events; from their number on: functions, phases */
};

struct heddle_own_cost {
	uint64_t cpu;                                   /* ns, of all */
	uint64_t own;                                   /* ns, of the measurement's own */
	uint64_t samples;                               /* that the own part was measured by, about */
	struct heddle_own_kind kinds[HEDDLE_OWN_KINDS]; /* those that take a tenth of it or more, the dearest first */
	size_t kind_count;
	const char *advice; /* NULL: none. A sentence without its end; names stand between ` and ` */
	char text[HEDDLE_OWN_ADVICE];
};

/*
 * Sums the values of a measurement; `function` is the name of the user's function with most of it, for advice, or NULL.
 * 0 or -ENOMEM.
 */
int heddle__own_cost_make(
	struct heddle_own_cost *cost, const struct profile_measurement *measurement, const char *function);

/* True if it is so much that the user should know, by enough samples. */
bool heddle__own_cost_matters(const struct heddle_own_cost *cost);

#endif
