/* SPDX-License-Identifier: BSD-3-Clause */
/* The callers and callees of one function, over all paths to it. */
#ifndef HEDDLE_ANALYSIS_CALLERS_H
#define HEDDLE_ANALYSIS_CALLERS_H

#include "profile/base/index.h"
#include "profile/view/view.h"

struct heddle_caller {
	uint64_t value;  /* inclusive: of the function's calls through this caller, or of the callee's calls below it */
	uint32_t label;  /* of the view */
	uint32_t parent; /* node 0, the function, is its own parent */
};

/* A parent comes before its children. The values of a node's children add up to at most its own. */
struct heddle_callers {
	struct heddle_caller *items;
	size_t count, capacity;
	uint32_t *first, *list; /* children, the largest value first, as in struct profile_view_children */
	struct profile_index index;
};

enum heddle_callers_side { HEDDLE_CALLERS, HEDDLE_CALLEES };

/*
 * Makes the callers or callees of the functions or regions whose labels are set in `is_of` (label_count elements), from
 * inclusive values of the view's nodes. Recursion counts once: calls of the function within itself belong to the
 * outermost one. Returns 0 or -ENOMEM.
 */
int heddle__callers_make(struct heddle_callers *callers, const struct profile_view *view, const uint64_t *inclusive,
	const bool *is_of, enum heddle_callers_side side);
void heddle__callers_free(struct heddle_callers *callers);

#endif
