/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ranks of a job look for each other's death: no monitor does (start/monitor.c). Whoever sleeps does so through
 * hupc__watcher (base/wait.h).
 */
#ifndef HEDDLE_UPC_RUNTIME_WATCH_H
#define HEDDLE_UPC_RUNTIME_WATCH_H

/* From now on, this process watches the others of its node, and the launcher. Context: init. */
void hupc__watch_begin(void);

/* Notices processes that have ended without a word, if this process watches. Cheap. Context: any thread. */
void hupc__watch(void);

/* Ends the program if a thread was lost: `what` may wait for it forever. Context: any thread. */
void hupc__end_if_lost(const char *what);

#endif
