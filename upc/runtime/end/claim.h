/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of several threads that end the program at the same moment does so, with its message and its status. */
#ifndef HEDDLE_UPC_RUNTIME_CLAIM_H
#define HEDDLE_UPC_RUNTIME_CLAIM_H

#include <stdbool.h>

/*
 * As hupc__ask_to_end, of all nodes: true for the first. May not return: if a thread of another node was the first,
 * that one ends this thread. Context: any, also signal.
 */
bool hupc__claim_end(int status);

#endif
