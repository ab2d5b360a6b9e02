/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent requests. The functions are members of heddle__mpi_operations. */
#ifndef HEDDLE_MODELS_MPI_PERSISTENT_H
#define HEDDLE_MODELS_MPI_PERSISTENT_H

#include "models/mpi/wrappers/mpi_effects.h"

void heddle__mpi_prepare(struct heddle_mpi_operation *operation);
void heddle__mpi_start(struct heddle_mpi_operation *operation);
void heddle__mpi_ready(struct heddle_mpi_operation *operation);

#endif
