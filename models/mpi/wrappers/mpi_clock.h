/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Offsets of the nodes' clocks to that of rank 0's node, for traces. When MPI has been initialized and before it is
 * finalized, one rank of each other node requests the time from rank 0, by a communicator of these two ranks. Nothing
 * is measured if there is one node.
 */
#ifndef HEDDLE_MODELS_MPI_CLOCK_H
#define HEDDLE_MODELS_MPI_CLOCK_H

/* Before MPI_Init, after it, and before MPI_Finalize. Context: the thread that calls these, in its wrapper. */
void heddle__mpi_clock_prepare(void);
void heddle__mpi_clock_begin(void);
void heddle__mpi_clock_end(void);

#endif
