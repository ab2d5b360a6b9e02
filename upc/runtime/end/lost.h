/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends a job if one of its threads can no longer be reached, or is broken. */
#ifndef HEDDLE_UPC_RUNTIME_LOST_H
#define HEDDLE_UPC_RUNTIME_LOST_H

/*
 * Called when the connection to a thread was lost, or it sent an invalid message; `why` is one line. Ends the job after
 * a message, in a separate thread; does not wait. Context: handler of the network.
 */
void hupc__report_lost(int thread, const char *why);
void hupc__report_broken(int thread, const char *why);

#endif
