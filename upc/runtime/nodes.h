/* SPDX-License-Identifier: BSD-3-Clause */
/* Which UPC threads share memory. On one machine, all do. */
#ifndef HEDDLE_UPC_RUNTIME_NODES_H
#define HEDDLE_UPC_RUNTIME_NODES_H

#include <stdbool.h>

#include "upc/abi.h"

/* 1 for each thread whose segment is mapped in this process. None is that does not exist. */
extern unsigned char hupc__near[UPCRT_MAX_THREADS];

/* All those threads share memory. Context: before constructors. */
void hupc__nodes_prepare(int threads);

/* The node of a thread: nodes are numbered from 0. */
int hupc__node_of(int thread);

static inline bool hupc__is_near(int thread)
{
	return hupc__near[thread];
}

#endif
