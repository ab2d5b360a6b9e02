/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of `heddle scale`. */
#ifndef HEDDLE_CLI_SCALE_PARTS_H
#define HEDDLE_CLI_SCALE_PARTS_H

#include "analysis/scaling.h"
#include "cli/base/terminal.h"

struct heddle_scale_report {
	struct heddle_look look;
	double min_percent;
	double at;            /* the scale of predictions */
	const char *of_scale; /* "threads", or the user's name */
	struct heddle_scaling scaling;
};

/* Each returns 0 or a negative error. */
int heddle__scale_points(const struct heddle_scale_report *report);
int heddle__scale_tree(const struct heddle_scale_report *report);
int heddle__scale_laws(struct heddle_scale_report *report);
int heddle__scale_json(struct heddle_scale_report *report);

/*
 * The functions and regions whose own time matters at the largest scale or at `at`, the largest prediction first.
 * `items` to be freed.
 */
struct heddle_scale_law {
	uint32_t path;
	struct heddle_model model;
	struct heddle_prediction then; /* at `at`, ns per thread */
	double share, low, high;       /* of all such times then */
};
int heddle__scale_laws_make(struct heddle_scale_report *report, struct heddle_scale_law **items, size_t *count);

#endif
