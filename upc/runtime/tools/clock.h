/* SPDX-License-Identifier: BSD-3-Clause */
/* The first thread's clock (see heddle/upc_bridge.h, `first_clock`). */
#ifndef HEDDLE_UPC_RUNTIME_CLOCK_H
#define HEDDLE_UPC_RUNTIME_CLOCK_H

#include <stdint.h>

/*
 * Reads CLOCK_MONOTONIC of the first thread's machine, in ns, on that machine. Returns 0 if it is this machine's clock.
 * Context: any thread, while no thread has agreed to end.
 */
int hupc__first_clock(uint64_t *ns);

#endif
