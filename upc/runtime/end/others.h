/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of the threads on other nodes. Without a network, these functions do nothing. */
#ifndef HEDDLE_UPC_RUNTIME_OTHERS_H
#define HEDDLE_UPC_RUNTIME_OTHERS_H

#include <stdbool.h>

/* This thread is about to end: the connection to another one that ends may be lost from now on. */
void hupc__network_expect_end(void);

/* Returns true if that is so. Context: any thread. */
bool hupc__network_expects_end(void);

/*
 * Asks the threads of other nodes to end with that status, and gives them a second to say that they do. Context: any,
 * also signal.
 */
void hupc__network_end_others(int status);

#endif
