/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Passive-target synchronization, for a trace: which accesses to a window are complete (MPI_Win_lock, MPI_Win_flush
 * and their like). They are members of heddle__mpi_operations.
 */
#ifndef HEDDLE_MODELS_MPI_PASSIVE_H
#define HEDDLE_MODELS_MPI_PASSIVE_H

#include "models/mpi/wrappers/mpi_effects.h"

void heddle__mpi_passive_begins(struct heddle_mpi_operation *operation);
void heddle__mpi_passive_ends(struct heddle_mpi_operation *operation);

#endif
