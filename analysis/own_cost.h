/* SPDX-License-Identifier: BSD-3-Clause */
/* What made a measurement dear: its own CPU time by kind of event, and the option that would help. */
#ifndef HEDDLE_ANALYSIS_OWN_COST_H
#define HEDDLE_ANALYSIS_OWN_COST_H

#include "profile/file/measurement.h"

#define HEDDLE_OWN_ADVICE 400 /* bytes, enough for any advice */

struct heddle_own_cost {
	uint64_t cpu;       /* ns, of all */
	uint64_t own;       /* ns, of the measurement's own */
	uint64_t samples;   /* that the own part was measured by, about */
	uint64_t dearest;   /* ns, of the kind below */
	const char *name;   /* its symbolic name, "GASP_UPC_GET"; NULL: no event */
	const char *label;  /* as in reports, "upc get" */
	const char *advice; /* NULL: none. A sentence without its end; names stand between ` and ` */
	char text[HEDDLE_OWN_ADVICE];
};

/*
 * Sums the values of a measurement; `function` is the name of the user's function with most of it, for advice, or NULL.
 * 0 or -ENOMEM.
 */
int heddle__own_cost_make(
	struct heddle_own_cost *cost, const struct profile_measurement *measurement, const char *function);

/* Whether it is so much that the user should know, by enough samples. */
bool heddle__own_cost_matters(const struct heddle_own_cost *cost);

#endif
