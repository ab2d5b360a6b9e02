/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rank this process is, and of how many. */
#ifndef HEDDLE_MODELS_MPI_WORLD_H
#define HEDDLE_MODELS_MPI_WORLD_H

#include <stdint.h>

extern int heddle__mpi_world_size; /* of MPI_COMM_WORLD; 0: not known */

/* Take rank and size from MPI_COMM_WORLD, which there must be. */
void heddle__mpi_world_take(void);

/* The same from the processes of a session. There may be no MPI_COMM_WORLD, but there is a set of its processes. */
void heddle__mpi_world_of_session(uintptr_t session);

#endif
