/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nodes: UPC threads of one node map each other's memory; that of other nodes is far (upc/abi.h). UPC_NODE_SIZE=K makes
 * each K consecutive threads a node, on one machine, for tests and experiments.
 */
#ifndef HEDDLE_UPC_RUNTIME_NODES_H
#define HEDDLE_UPC_RUNTIME_NODES_H

#include <stdbool.h>

/* The number of a thread's node, from 0. Context: any, once this process is a UPC thread. */
int hupc__node_of(int thread);

/* Whether a thread is on this thread's node. */
bool hupc__is_near(int thread);

#endif
