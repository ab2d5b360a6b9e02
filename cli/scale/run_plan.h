/* SPDX-License-Identifier: BSD-3-Clause */
/* Which runs `heddle scale --run` makes: configurations, their order, and when enough runs were made. Starts no run. */
#ifndef HEDDLE_CLI_RUN_PLAN_H
#define HEDDLE_CLI_RUN_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#define HEDDLE_PLAN_MOST 256      /* configurations */
#define HEDDLE_PLAN_LEAST_RUNS 3u /* two runs may agree by chance */

struct heddle_plan_configuration {
	unsigned ranks, threads; /* 0: the program's default */
	unsigned runs;           /* complete runs */
	double sum, squares;     /* of their elapsed seconds */
	double used;             /* seconds, of all its runs */
	bool over;               /* no more runs: there are enough, the time is used up, or one failed */
};

struct heddle_plan {
	struct heddle_plan_configuration *configurations;
	size_t count;
	unsigned repeat;
	double narrow;  /* stop if the mean is known within this share of it, at 95 % confidence; 0: never */
	double seconds; /* time for a configuration; 0: no limit */
};

/*
 * Reads "-n 1,2,4 -t 1,2": all combinations. Returns 0, -EINVAL or -ENOMEM. Sets only `configurations` and `count`;
 * free them in any case.
 */
int heddle__plan_read(struct heddle_plan *plan, const char *text);
void heddle__plan_free(struct heddle_plan *plan);

/* Returns the configuration for that turn of a round. Every other round is reversed, so that a drift cancels out. */
struct heddle_plan_configuration *heddle__plan_at(const struct heddle_plan *plan, unsigned round, size_t turn);

/* Adds a complete run. */
void heddle__plan_add(const struct heddle_plan *plan, struct heddle_plan_configuration *of, double seconds);

#endif
