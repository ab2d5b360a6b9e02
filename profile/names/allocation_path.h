/* SPDX-License-Identifier: BSD-3-Clause */
/* From where dynamic shared memory was allocated: call paths by the tags that descriptions of objects have. */
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
	uint32_t line, column;       /* column 0: unknown; not the source's, but in its order */
};

/* Makes the paths of frames in the program's own file. 0 or a negative error, after which there is nothing to free. */
int profile_allocation_paths_make(struct profile_allocation_paths *paths, const struct profile_call_tree *tree);
void profile_allocation_paths_free(struct profile_allocation_paths *paths);

/* The innermost steps of the path with that tag, at most `most`; 0: none has it. */
size_t profile_allocation_steps(
	const struct profile_allocation_paths *paths, uint32_t tag, struct profile_allocation_step *steps, size_t most);

/*
 * Which of the calls on the line of step `at`, of those that led from it to the function of the step before in any
 * allocation: 1, 2, ... of *count, in the order of the source.
 */
uint32_t profile_allocation_call(const struct profile_allocation_paths *paths,
	const struct profile_allocation_step *steps, size_t at, uint32_t *count);

#endif
