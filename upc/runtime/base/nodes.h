/* SPDX-License-Identifier: BSD-3-Clause */
/* Which UPC threads share memory. Without a launcher, all do. */
#ifndef HEDDLE_UPC_RUNTIME_NODES_H
#define HEDDLE_UPC_RUNTIME_NODES_H

#include <stdbool.h>

#include "upc/abi.h"

/* 1 for each thread whose segment is mapped in this process; 0 for threads that do not exist. */
extern unsigned char hupc__mapped[UPCRT_MAX_THREADS];

/*
 * Sets that all threads share memory. With a `node_size`, compiled code still treats every `node_size` consecutive
 * threads as a node: UPC_NODE_SIZE=K without a launcher, for tests. Context: before constructors.
 */
void hupc__nodes_prepare(int threads, int node_size);

/*
 * Sets the nodes of a job's threads: threads with equal nodes share memory. Nodes are numbered from 0, in the order of
 * their first threads. Context: init.
 */
void hupc__nodes_set(const int *node_of_thread, int threads);

/* The node of a thread: nodes are numbered from 0. */
int hupc__node_of(int thread);

int hupc__nodes_count(void);

/* Returns true if a thread counts as one of this thread's node; false for a thread that does not exist. */
bool hupc__is_same_node(int thread);

/* The lowest of the threads that share memory with this one. */
static inline int hupc__first_mapped(void)
{
	int first = 0;
	while (!hupc__mapped[first])
		first++;
	return first;
}

static inline bool hupc__is_mapped_thread(int thread)
{
	return hupc__mapped[thread];
}

#endif
