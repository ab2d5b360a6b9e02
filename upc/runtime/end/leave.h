/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a process ends: thread processes at once, the ranks of a job one after the other, since a launcher kills all
 * others as soon as one has failed.
 */
#ifndef HEDDLE_UPC_RUNTIME_LEAVE_H
#define HEDDLE_UPC_RUNTIME_LEAVE_H

#include <stdbool.h>

/*
 * Ends this process after a request to end; `first`: the request is its own, and the others do not know of it yet. The
 * first one ends last: launchers kill the others as soon as one has failed. Context: any, also signal.
 */
_Noreturn void hupc__leave(bool first, int status);

/* All threads are about to end: this one has finished. The exit handlers of the process follow. */
void hupc__leave_together(int status);

/*
 * True if the process of a rank has ended; the launcher may not have noticed, and then its number is still in use.
 * Context: any, also signal.
 */
bool hupc__has_vanished(int thread);

#endif
