/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks whether other ranks of a job have died, since ranks have no monitor (start/monitor.c). Sleeping threads call
 * this through hupc__watcher (base/wait.h).
 */
#ifndef HEDDLE_UPC_RUNTIME_WATCH_H
#define HEDDLE_UPC_RUNTIME_WATCH_H

/* From now on, this process checks the others of its node, and the launcher. Context: init. */
void hupc__watch_begin(void);

/* Checks for processes that have ended without notice, if this process watches. Costs little. Context: any thread. */
void hupc__watch(void);

/* Ends the program if a thread was lost: `what` may wait for it forever. Context: any thread. */
void hupc__end_if_lost(const char *what);

#endif
