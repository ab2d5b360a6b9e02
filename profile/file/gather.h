/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Merges the trees of many files on several threads into one tree, which is the same for any number of workers: nodes
 * and tables are in the order of their first file. A worker merges a chunk of consecutive files; the chunks' trees are
 * joined in order. Workers that are too far ahead wait, so memory holds the result, a few chunks and one file per
 * worker.
 */
#ifndef HEDDLE_PROFILE_GATHER_H
#define HEDDLE_PROFILE_GATHER_H

#include "profile/file/call_tree.h"

struct profile_gather {
	size_t count;          /* files */
	const uint64_t *sizes; /* by file, in bytes */
	size_t workers;
	/* Merges a file into `tree`. Called by several threads at once, each for a different file. */
	int (*read)(void *context, size_t file, struct profile_call_tree *tree);
	/* Called when the nodes of a file's chunk have got new numbers: once per file, by one thread at a time. */
	void (*joined)(void *context, size_t file, const uint32_t *map);
	void *context;
};

/* Starts and fills `tree`, which must be freed even after an error. Returns 0 or the first error. */
int profile_gather(struct profile_call_tree *tree, const struct profile_gather *gather);

#endif
