/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of the threads on other nodes. Without a network, these functions do nothing. */
#ifndef HEDDLE_UPC_RUNTIME_OTHERS_H
#define HEDDLE_UPC_RUNTIME_OTHERS_H

#include <stdbool.h>

/* This thread is about to end: from now on, connections to other threads that end may be lost. */
void hupc__network_expect_end(void);

/* Returns true after hupc__network_expect_end, or if another node has requested the end. Context: any thread. */
bool hupc__network_expects_end(void);

/*
 * Requests the threads of other nodes to end with that status, and waits at most a second for their answers. Context:
 * any, also signal.
 */
void hupc__network_end_others(int status);

#endif
