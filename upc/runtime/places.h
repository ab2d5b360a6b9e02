/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the ranks of a job are: each publishes its own place, rank 0 reads them all and publishes which node each is
 * on. So the launcher serves 3 values a rank, not one of each rank for each.
 */
#ifndef HEDDLE_UPC_RUNTIME_PLACES_H
#define HEDDLE_UPC_RUNTIME_PLACES_H

#include <stdint.h>

#include "upc/runtime/job.h"

/* What a rank publishes. */
struct hupc__place {
	uint64_t node; /* equal for ranks that share memory */
	uint64_t segment_size;
	int pid, file; /* `file` is the descriptor of its memory in that process */
};

/* The values that this process has read from the launcher, for counting. */
extern int hupc__places_reads;

/*
 * Tells the own place and learns the nodes of all ranks (hupc__nodes_set) and the smallest size of a segment. Fences
 * twice. Returns NULL, or what could not be done. Context: init.
 */
const char *hupc__places_exchange(const struct hupc__job *job, const struct hupc__place *mine, uint64_t *segment_size);

/* The place of another rank; after hupc__places_exchange. Returns NULL, or what could not be done. Context: init. */
const char *hupc__places_look_up(const struct hupc__job *job, int rank, struct hupc__place *place);

#endif
