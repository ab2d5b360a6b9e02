/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Merging the trees of many files on several threads into one tree, always the same one: nodes and tables stand in the
 * order of their first file, whatever the number of workers. Consecutive files make a chunk, merged by one worker; the
 * chunks' trees are joined in order, and workers that are too far ahead wait, so that memory holds the result, a few
 * chunks and one file a worker.
 */
#ifndef HEDDLE_PROFILE_GATHER_H
#define HEDDLE_PROFILE_GATHER_H

#include "profile/file/call_tree.h"

struct profile_gather {
	size_t count;          /* files */
	const uint64_t *sizes; /* of them in bytes */
	size_t workers;
	/* Merges a file into `tree`. Called by several threads at once, each with another file. */
	int (*read)(void *context, size_t file, struct profile_call_tree *tree);
	/* Called when the nodes of a file's chunk got new numbers; once per file, by one thread at a time. */
	void (*joined)(void *context, size_t file, const uint32_t *map);
	void *context;
};

/* Starts `tree`, which must be freed after an error, too. 0 or the first error. */
int profile_gather(struct profile_call_tree *tree, const struct profile_gather *gather);

#endif
