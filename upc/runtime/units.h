/* SPDX-License-Identifier: BSD-3-Clause */
/* The records that compiled UPC code carries (abi.h): units, and shared variables with static storage. */
#ifndef HEDDLE_UPC_RUNTIME_UNITS_H
#define HEDDLE_UPC_RUNTIME_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The number of threads that units were compiled for, 0 for any; -1 when they don't fit together or not to this
 * run-time system, with a line said. Context: before constructors.
 */
int hupc__units_static_threads(void);

/* Whether some unit was compiled with --inst. */
bool hupc__units_instrumented(void);

/* Give each shared variable its place; returns the end of what they take, 0 when they don't fit (with a line said). */
uint64_t hupc__units_place(void);

/* Run the units' start functions, then store the contents of those elements that this thread has. */
void hupc__units_start(void);

/* Tell the tool about each variable. */
void hupc__units_announce(void);

#endif
