/* SPDX-License-Identifier: BSD-3-Clause */
/* Recent samples of functions: the weight of a sample is halved by each refresh. */
#ifndef HEDDLE_CLI_LIVE_TOP_H
#define HEDDLE_CLI_LIVE_TOP_H

#include <stddef.h>

struct heddle_live_function {
	char *name;
	double weight;
};

struct heddle_live_top {
	struct heddle_live_function *functions;
	size_t count, capacity;
};

/* Halves all weights. Call before the samples of a refresh are added. */
void heddle__live_top_age(struct heddle_live_top *top);

/* If there is no memory for another name, its samples are dropped. */
void heddle__live_top_add(struct heddle_live_top *top, const char *name, double weight);

/* Returns the name with most samples, valid until the next change, and its share of all; NULL: no samples. */
const char *heddle__live_top_first(const struct heddle_live_top *top, double *share);
void heddle__live_top_free(struct heddle_live_top *top);

#endif
