/* SPDX-License-Identifier: BSD-3-Clause */
/* How many gets software caches served, by source line: the events of GASP 1.5, table 9. */
#ifndef HEDDLE_PROFILE_CACHED_H
#define HEDDLE_PROFILE_CACHED_H

#include "profile/file/call_tree.h"

struct profile_cached {
	const char *file; /* as the compiler wrote it; "": unknown */
	uint32_t line;    /* 0: unknown */
	uint64_t hits, misses;
};

/*
 * Makes the lines that have gets, those with most gets first. Free *rows. Returns 0 or -ENOMEM, after which there is
 * nothing to free.
 */
int profile_cached_make(const struct profile_call_tree *tree, struct profile_cached **rows, size_t *count);

#endif
