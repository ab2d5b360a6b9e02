/* SPDX-License-Identifier: BSD-3-Clause */
/* Which runs `heddle scale --run` makes: configurations, their order, and when there were enough. Starts nothing. */
#ifndef HEDDLE_CLI_RUN_PLAN_H
#define HEDDLE_CLI_RUN_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#define HEDDLE_PLAN_MOST 256      /* configurations */
#define HEDDLE_PLAN_LEAST_RUNS 3u /* two that happen to agree say nothing of the others */

struct heddle_plan_configuration {
	unsigned ranks, threads; /* 0: the program's own */
	unsigned runs;           /* complete ones */
	double sum, squares;     /* of their elapsed seconds */
	double used;             /* seconds, of all its runs */
	bool over;               /* no more runs: enough, out of time, or failed */
};

struct heddle_plan {
	struct heddle_plan_configuration *configurations;
	size_t count;
	unsigned repeat;
	double narrow;  /* enough if the mean is known to that share of it, at 95 % confidence; 0: never */
	double seconds; /* that a configuration may use; 0: no limit */
};

/*
 * Reads "-n 1,2,4 -t 1,2": all combinations. 0, -EINVAL, or -ENOMEM. Only `configurations` and `count` are set, to be
 * freed in any case.
 */
int heddle__plan_read(struct heddle_plan *plan, const char *text);
void heddle__plan_free(struct heddle_plan *plan);

/* The one for that turn of a round: every other round is made backwards, so that a drift cancels out. */
struct heddle_plan_configuration *heddle__plan_at(const struct heddle_plan *plan, unsigned round, size_t turn);

/* A run is complete. */
void heddle__plan_add(const struct heddle_plan *plan, struct heddle_plan_configuration *of, double seconds);

#endif
