/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UPC threads that a launcher started as the ranks of a job: how they find each other, and end together. Without a
 * launcher, the functions below do what is right for thread processes (launch.c, monitor.c), often nothing.
 */
#ifndef HEDDLE_UPC_RUNTIME_RANKS_H
#define HEDDLE_UPC_RUNTIME_RANKS_H

#include <stdbool.h>

#include "upc/runtime/start/options.h"

/* Of a rank, read when it starts. */
extern struct hupc__options hupc__ranks_options;

/* This process is a rank; size 0: not known yet. Context: before constructors. */
void hupc__ranks_begin(int rank, int size);

/*
 * Connects to the launcher and maps the memory that the ranks of a node share. Ends the process after a message if
 * that fails. Context: init.
 */
void hupc__ranks_join(void);

/* From here on, a request to end is obeyed. Context: init. */
void hupc__ranks_unblock(void);

/* All threads have met. Context: init. */
void hupc__ranks_started(void);

/* Ends the program if a thread was lost: `what` may wait for it in vain. Context: any thread. */
void hupc__ranks_end_if_lost(const char *what);

/* All threads are about to end: this one has finished. The exit handlers of the process follow. */
void hupc__ranks_finish(int status);

/*
 * Ends this process after a request to end; `first`: it is its own, and the others are still to be told. The first one
 * ends last: launchers kill the others as soon as one has failed. Context: any, also signal.
 */
_Noreturn void hupc__leave(bool first, int status);

#endif
