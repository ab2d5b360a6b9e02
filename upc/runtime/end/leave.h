/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a process: thread processes end at once, the ranks of a job one after the other, since a launcher kills
 * all other ranks as soon as one has failed.
 */
#ifndef HEDDLE_UPC_RUNTIME_LEAVE_H
#define HEDDLE_UPC_RUNTIME_LEAVE_H

#include <stdbool.h>

/*
 * Ends this process after a request to end. `first`: the request is its own, and the other processes do not know of it
 * yet. The first process ends last, because launchers kill the others as soon as one has failed. Context: any, also
 * signal.
 */
_Noreturn void hupc__leave(bool first, int status);

/* Called when all threads are about to end and this one has finished. The exit handlers of the process follow. */
void hupc__leave_together(int status);

/*
 * Returns true if the process of a rank has ended, even if the launcher has not waited for it, so that its number is
 * still in use. Context: any, also signal.
 */
bool hupc__has_vanished(int thread);

#endif
