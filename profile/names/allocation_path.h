/* SPDX-License-Identifier: BSD-3-Clause */
/* Call paths of allocations of dynamic shared memory, found by the tags in the descriptions of objects. */
#ifndef HEDDLE_PROFILE_ALLOCATION_PATH_H
#define HEDDLE_PROFILE_ALLOCATION_PATH_H

#include "profile/names/namer.h"

/* Names of the code that calls allocation functions. */
struct profile_allocation_paths {
	const struct profile_call_tree *tree;
	struct profile_namer namer;
	struct profile_place_name *names; /* by place */
	size_t count;
};

/* A function on the way to an allocation, and the line at which it calls the next one, or the allocation itself. */
struct profile_allocation_step {
	const char *function, *file; /* file "": unknown */
	uint32_t line, column;       /* column 0: unknown; may differ from the source's, but has its order */
};

/*
 * Names the frames of allocation paths that are in the program's own file. Returns 0 or a negative error, after which
 * there is nothing to free.
 */
int profile_allocation_paths_make(struct profile_allocation_paths *paths, const struct profile_call_tree *tree);
void profile_allocation_paths_free(struct profile_allocation_paths *paths);

/* Writes the innermost steps, at most `most`, of the path with that tag. Returns their number; 0: no such path. */
size_t profile_allocation_steps(
	const struct profile_allocation_paths *paths, uint32_t tag, struct profile_allocation_step *steps, size_t most);

/*
 * Returns which call on its line step `at` is: 1, 2, ... of *count, in the order of the source. Only calls of the
 * function of the step before are counted, as found in the paths of all allocations.
 */
uint32_t profile_allocation_call(const struct profile_allocation_paths *paths,
	const struct profile_allocation_step *steps, size_t at, uint32_t *count);

#endif
