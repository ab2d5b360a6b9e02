/* SPDX-License-Identifier: BSD-3-Clause */
/* How many samples functions have had lately: a sample counts half after each refresh. */
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

/* Before the samples of a refresh are added. */
void heddle__live_top_age(struct heddle_live_top *top);

/* Without memory for another name, its samples are left out. */
void heddle__live_top_add(struct heddle_live_top *top, const char *name, double weight);

/* The name with the most samples, valid until the next change, and its share of all; NULL: there were none. */
const char *heddle__live_top_first(const struct heddle_live_top *top, double *share);
void heddle__live_top_free(struct heddle_live_top *top);

#endif
