/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses one of several threads that end the program at the same moment: its message and its status are used. */
#ifndef HEDDLE_UPC_RUNTIME_CLAIM_H
#define HEDDLE_UPC_RUNTIME_CLAIM_H

#include <stdbool.h>

/*
 * As hupc__ask_to_end, for all nodes: returns true for the first thread. May not return: if a thread of another node
 * was the first, that thread ends this one. Context: any, also signal.
 */
bool hupc__claim_end(int status);

#endif
