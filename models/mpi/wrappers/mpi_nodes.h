/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which processes measure the clocks of nodes: rank 0, and one process of each other node. Some ranks may not be
 * measured, and would never receive a message. So the processes first agree by files in the measurement's directory;
 * messages are sent only to those that have agreed. No MPI function is called here.
 */
#ifndef HEDDLE_MODELS_MPI_NODES_H
#define HEDDLE_MODELS_MPI_NODES_H

#include <stdint.h>

/*
 * Called before MPI is initialized: the first process of a node to call this represents the node. No effect if the
 * launcher reports that all ranks are on one node. Context of all: the thread that initializes MPI.
 */
void heddle__mpi_nodes_announce(void);

/*
 * Called next, in rank 0: requests the ranks of other nodes, and calls `found` with each rank that has agreed. Waits a
 * second at most, if a process ended or is not a rank of this program.
 */
void heddle__mpi_nodes_ask(void (*found)(int rank));

/*
 * Called next, in other ranks: returns whether this rank represents its node, and rank 0 requested it. Waits two
 * seconds at most.
 */
int heddle__mpi_nodes_answer(int rank);

#endif
