/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of collectives. */
#ifndef HEDDLE_MODELS_MPI_COLLECTIVES_H
#define HEDDLE_MODELS_MPI_COLLECTIVES_H

#include "models/mpi/wrappers/mpi_comms.h"
#include "models/mpi/wrappers/mpi_effects.h"

/* Sets the bytes of a collective by `comm` (NULL: not known) that succeeded, or was prepared. Context: any thread, not
 * nested. */
void heddle__mpi_count_collective(const struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm,
	struct heddle_mpi_moved *moved);

#endif
