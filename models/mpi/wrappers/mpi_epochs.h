/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that post their windows to others (MPI_Win_post, MPI_Win_wait), and ranks that access them (MPI_Win_start,
 * MPI_Win_complete): for a trace, which rank's call lets others continue. The functions are members of
 * heddle__mpi_operations.
 */
#ifndef HEDDLE_MODELS_MPI_EPOCHS_H
#define HEDDLE_MODELS_MPI_EPOCHS_H

#include "models/mpi/wrappers/mpi_effects.h"

void heddle__mpi_epoch_ending(struct heddle_mpi_operation *operation);
void heddle__mpi_epoch_changed(struct heddle_mpi_operation *operation);

#endif
