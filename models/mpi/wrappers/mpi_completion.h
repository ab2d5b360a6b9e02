/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for requests, and testing them. The functions are members of heddle__mpi_operations. */
#ifndef HEDDLE_MODELS_MPI_COMPLETION_H
#define HEDDLE_MODELS_MPI_COMPLETION_H

#include "models/mpi/wrappers/mpi_effects.h"

void heddle__mpi_keep_handles(struct heddle_mpi_operation *operation);
void heddle__mpi_complete(struct heddle_mpi_operation *operation);
void heddle__mpi_freeing(struct heddle_mpi_operation *operation);
void heddle__mpi_freed(struct heddle_mpi_operation *operation);

#endif
