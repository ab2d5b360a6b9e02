/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of a few hundred names, searched linearly. */
#include "cli/run/live_top.h"

#include "profile/base/intern.h"

#include <stdlib.h>
#include <string.h>

#define FORGOTTEN 0.25 /* a weight below which a function is dropped */

void heddle__live_top_age(struct heddle_live_top *top)
{
	size_t kept = 0;
	for (size_t i = 0; i < top->count; i++) {
		struct heddle_live_function function = top->functions[i];
		function.weight /= 2;
		if (function.weight < FORGOTTEN)
			free(function.name);
		else
			top->functions[kept++] = function;
	}
	top->count = kept;
}

static struct heddle_live_function *find_function(struct heddle_live_top *top, const char *name)
{
	for (size_t i = 0; i < top->count; i++)
		if (strcmp(top->functions[i].name, name) == 0)
			return &top->functions[i];
	return NULL;
}

void heddle__live_top_add(struct heddle_live_top *top, const char *name, double weight)
{
	struct heddle_live_function *function = find_function(top, name);
	if (function) {
		function->weight += weight;
		return;
	}
	if (profile_reserve(&top->functions, &top->capacity, top->count + 1, sizeof(*top->functions)) != 0)
		return;
	char *copy = strdup(name);
	if (copy)
		top->functions[top->count++] = (struct heddle_live_function){copy, weight};
}

const char *heddle__live_top_first(const struct heddle_live_top *top, double *share)
{
	double all = 0;
	const struct heddle_live_function *first = NULL;
	for (size_t i = 0; i < top->count; i++) {
		all += top->functions[i].weight;
		if (!first || top->functions[i].weight > first->weight)
			first = &top->functions[i];
	}
	*share = first ? first->weight / all : 0;
	return first ? first->name : NULL;
}

void heddle__live_top_free(struct heddle_live_top *top)
{
	for (size_t i = 0; i < top->count; i++)
		free(top->functions[i].name);
	free(top->functions);
	*top = (struct heddle_live_top){0};
}
