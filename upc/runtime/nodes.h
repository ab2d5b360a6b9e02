/* SPDX-License-Identifier: BSD-3-Clause */
/* Which node a thread runs on. Threads of a node access each other's memory directly. Context of all: any thread. */
#ifndef HUPC_NODES_H
#define HUPC_NODES_H

/* The number of a thread's node: 0, 1, ... */
int hupc__node_of(int thread);

#endif
