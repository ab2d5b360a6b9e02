/* SPDX-License-Identifier: BSD-3-Clause */
/* One function: who calls it, and what it calls, wherever it was called from. */
#ifndef HEDDLE_ANALYSIS_CALLERS_H
#define HEDDLE_ANALYSIS_CALLERS_H

#include "profile/base/index.h"
#include "profile/view/view.h"

struct heddle_caller {
	uint64_t
		value; /* inclusive, of the function's calls through it; of a callee, of its calls below the function */
	uint32_t label;  /* of the view */
	uint32_t parent; /* node 0, the function, is its own */
};

/* A parent comes before its children. Sums of the children of a node are at most its value. */
struct heddle_callers {
	struct heddle_caller *items;
	size_t count, capacity;
	uint32_t *first, *list; /* children, the largest value first, as in struct profile_view_children */
	struct profile_index index;
};

enum heddle_callers_side { HEDDLE_CALLERS, HEDDLE_CALLEES };

/*
 * Of the functions or regions whose labels are set in `is_of` (label_count of them), `inclusive` values of the view's
 * nodes. Recursion counts once: calls of the function within itself belong to the outermost one. 0 or -ENOMEM.
 */
int heddle__callers_make(struct heddle_callers *callers, const struct profile_view *view, const uint64_t *inclusive,
	const bool *is_of, enum heddle_callers_side side);
void heddle__callers_free(struct heddle_callers *callers);

#endif
