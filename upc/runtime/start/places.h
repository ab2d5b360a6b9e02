/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the ranks of a job are: each publishes its own place, rank 0 reads them all and publishes which node each is
 * on. So the launcher serves 3 values a rank, not one of each rank for each.
 */
#ifndef HEDDLE_UPC_RUNTIME_PLACES_H
#define HEDDLE_UPC_RUNTIME_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "upc/network/network.h"
#include "upc/runtime/base/job.h"

/* What a rank publishes. */
struct hupc__place {
	uint64_t node;    /* equal for ranks that share memory */
	uint64_t machine; /* equal for ranks that reach each other by the loopback interface */
	uint64_t segment_size;
	int pid, file; /* `file` is the descriptor of its memory in that process */
};

/* What rank 0 finds in the places of all, and publishes. */
struct hupc__common {
	uint64_t segment_size; /* the smallest */
	bool one_machine;
	unsigned char secret[HUPC__SECRET_SIZE]; /* random; only the launcher and its ranks know it */
};

/* The values that this process has read from the launcher, for counting. */
extern int hupc__places_reads;

/*
 * Publishes the own place and learns the nodes of all ranks (hupc__nodes_set) and what they have in common. Fences
 * twice. Returns NULL, or what could not be done. Context: init.
 */
const char *hupc__places_exchange(
	const struct hupc__job *job, const struct hupc__place *mine, struct hupc__common *common);

/* The place of another rank; after hupc__places_exchange. Returns NULL, or what could not be done. Context: init. */
const char *hupc__places_look_up(const struct hupc__job *job, int rank, struct hupc__place *place);

#endif
