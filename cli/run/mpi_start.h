/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a program may use MPI or OpenSHMEM, so that their libraries are preloaded. Nothing is executed here. */
#ifndef HEDDLE_CLI_RUN_MPI_START_H
#define HEDDLE_CLI_RUN_MPI_START_H

#include <stdbool.h>

#include "cli/base/program.h"

/*
 * True if the program needs an MPI library, is a launcher of MPI programs, or was started by one (`launched`: it may
 * load MPI later, as Python does), unless the user measures other models; and if the user names MPI among the models.
 */
bool heddle__mpi_is_likely(const struct heddle_program *program, bool launched);

/*
 * The same of OpenSHMEM. A program that needs a library of MPI alone does not use it, whatever started it.
 */
bool heddle__shmem_is_likely(const struct heddle_program *program, bool launched);

#endif
