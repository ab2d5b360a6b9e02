/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rank this process is, and of how many. */
#ifndef HEDDLE_MODELS_MPI_WORLD_H
#define HEDDLE_MODELS_MPI_WORLD_H

#include <stdint.h>

extern int heddle__mpi_world_size; /* of MPI_COMM_WORLD; 0: not known */

/* Identifies a spawned world, whose ranks have the same numbers as those of others. 0: the first world. */
extern uint64_t heddle__mpi_world_key;

struct heddle_mpi_operation;

/*
 * Before and after MPI is initialized, and after a session began: takes rank and size from MPI_COMM_WORLD, or from the
 * processes of the session.
 */
void heddle__mpi_initializing(struct heddle_mpi_operation *operation);
void heddle__mpi_initialized(struct heddle_mpi_operation *operation);
void heddle__mpi_session_begun(struct heddle_mpi_operation *operation);

#endif
