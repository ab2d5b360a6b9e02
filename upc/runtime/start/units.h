/* SPDX-License-Identifier: BSD-3-Clause */
/* The records in compiled UPC code (abi.h): units, and shared variables with static storage. */
#ifndef HEDDLE_UPC_RUNTIME_UNITS_H
#define HEDDLE_UPC_RUNTIME_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The number of threads that the units were compiled for; 0: any; -1 after a message if the units do not match each
 * other or this run-time system. Context: before constructors.
 */
int hupc__units_static_threads(void);

/*
 * Assigns an offset to each shared variable. Returns the end of their space, or 0 after a message if they do not fit.
 */
uint64_t hupc__units_place(void);

/* Runs the start functions of the units, then stores the initial contents of elements with affinity to this thread. */
void hupc__units_start(void);

/* Reports each variable to the tool. */
void hupc__units_announce(void);

#endif
