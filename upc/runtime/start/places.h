/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The nodes of a job's ranks: each rank publishes its place, rank 0 reads all places and publishes the node of each
 * rank. The launcher thus serves 3 values per rank, instead of one for each pair of ranks.
 */
#ifndef HEDDLE_UPC_RUNTIME_PLACES_H
#define HEDDLE_UPC_RUNTIME_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "upc/network/network.h"
#include "upc/runtime/base/job.h"

/* The data that a rank publishes. */
struct hupc__place {
	uint64_t node;    /* equal for ranks that share memory */
	uint64_t machine; /* equal for ranks that reach each other by the loopback interface */
	uint64_t segment_size;
	int pid, file; /* `file`: the descriptor of its memory in that process */
};

/* The data that rank 0 computes from all places, and publishes. */
struct hupc__common {
	uint64_t segment_size; /* the smallest */
	bool one_machine;
	unsigned char secret[HUPC__SECRET_SIZE]; /* random; only the launcher and its ranks know it */
};

/* How many values this process has read from the launcher; for tests. */
extern int hupc__places_reads;

/*
 * Publishes this rank's place, and reads the nodes of all ranks (hupc__nodes_set) and the common data. Fences twice.
 * Returns NULL, or what could not be done. Context: init.
 */
const char *hupc__places_exchange(
	const struct hupc__job *job, const struct hupc__place *mine, struct hupc__common *common);

/* Reads a rank's place, after hupc__places_exchange. Returns NULL, or what could not be done. Context: init. */
const char *hupc__places_look_up(const struct hupc__job *job, int rank, struct hupc__place *place);

#endif
