/* SPDX-License-Identifier: BSD-3-Clause */
/* The node charged with time of a thread that neither a sample nor an event accounts for. */
#ifndef HEDDLE_CORE_START_NODE_H
#define HEDDLE_CORE_START_NODE_H

#include "core/threads/thread.h"

/*
 * Returns the node of the thread's start routine. The start routine of a worker belongs to the runtime that created it;
 * the worker's node is the parallel region that it last took part in, or idle. Context: any thread, signal.
 */
uint32_t heddle__thread_start_node(const struct heddle_thread *thread);

#endif
