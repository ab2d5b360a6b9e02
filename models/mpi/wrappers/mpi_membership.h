/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that make and free communicators and windows, and fences of windows: their effects on the tables of
 * mpi_comms.h. The functions are members of heddle__mpi_operations.
 */
#ifndef HEDDLE_MODELS_MPI_MEMBERSHIP_H
#define HEDDLE_MODELS_MPI_MEMBERSHIP_H

#include "models/mpi/wrappers/mpi_effects.h"

void heddle__mpi_comm_made(struct heddle_mpi_operation *operation);
void heddle__mpi_comm_copying(struct heddle_mpi_operation *operation);
void heddle__mpi_comm_copies(struct heddle_mpi_operation *operation);
void heddle__mpi_comm_freed(struct heddle_mpi_operation *operation);
void heddle__mpi_window_made(struct heddle_mpi_operation *operation);
void heddle__mpi_window_freed(struct heddle_mpi_operation *operation);
void heddle__mpi_fence_begins(struct heddle_mpi_operation *operation);

#endif
