/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The process that the user started: creates the thread processes, forwards signals, and ends as they do. Context of
 * all functions: before constructors.
 */
#ifndef HEDDLE_UPC_RUNTIME_MONITOR_H
#define HEDDLE_UPC_RUNTIME_MONITOR_H

#include <stdbool.h>

/* Starts handling signals. */
void hupc__monitor_prepare(void);

/*
 * Creates the process of a thread. Returns true in that process, with the signal state from before
 * hupc__monitor_prepare.
 */
bool hupc__monitor_fork(int thread);

/* Waits for all thread processes, and ends. */
_Noreturn void hupc__monitor_wait(void);

#endif
