/* SPDX-License-Identifier: BSD-3-Clause */
/* What the descriptor of the MPI front end refers to. */
#ifndef HEDDLE_MODELS_MPI_EVENTS_H
#define HEDDLE_MODELS_MPI_EVENTS_H

#include "core/modules/model.h"

/* What the profile says of MPI. */
extern const struct heddle_model heddle__mpi_model;

/* As of struct heddle_frontend. */
int heddle__mpi_init(unsigned int index);
void heddle__mpi_finish(void);
void heddle__mpi_after_fork(void);

#endif
