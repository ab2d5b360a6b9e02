/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a job one of whose threads can no longer be reached, or is broken. */
#ifndef HEDDLE_UPC_RUNTIME_LOST_H
#define HEDDLE_UPC_RUNTIME_LOST_H

/*
 * The connection to a thread was lost, or it sent what no thread sends; `why` is one line. Ends the job after a
 * message, in a thread of its own; waits for nothing. Context: handler of the network.
 */
void hupc__report_lost(int thread, const char *why);
void hupc__report_broken(int thread, const char *why);

#endif
