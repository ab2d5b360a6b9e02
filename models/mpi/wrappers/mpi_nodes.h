/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which processes measure the clocks of nodes: rank 0, and one of each other node. Not all ranks may be measured, and
 * a message to one that is not would never be received. So they agree by files in the measurement's directory first;
 * only who has agreed is sent anything. No MPI function is called here.
 */
#ifndef HEDDLE_MODELS_MPI_NODES_H
#define HEDDLE_MODELS_MPI_NODES_H

#include <stdint.h>

/*
 * Before MPI is initialized: the first process of a node to call this stands for it. Nothing if the launcher says that
 * all ranks are on one node. Context of all: the thread that initializes MPI.
 */
void heddle__mpi_nodes_announce(void);

/*
 * Then, in rank 0: asks those of other nodes, and calls `found` with the rank of each that takes part. Waits a second
 * at most, if one of them ended or is not a rank of this program.
 */
void heddle__mpi_nodes_ask(void (*found)(int rank));

/* Then, in others: whether this rank stands for its node, and rank 0 asked it. Waits two seconds at most. */
int heddle__mpi_nodes_answer(int rank);

#endif
