/* SPDX-License-Identifier: BSD-3-Clause */
/* What the descriptor of the OpenSHMEM front end refers to. */
#ifndef HEDDLE_MODELS_SHMEM_EVENTS_H
#define HEDDLE_MODELS_SHMEM_EVENTS_H

#include "core/modules/model.h"

/* What the profile says of OpenSHMEM. */
extern const struct heddle_model heddle__shmem_model;

/* As of struct heddle_frontend. */
int heddle__shmem_init(unsigned int index);
void heddle__shmem_finish(void);
void heddle__shmem_after_fork(void);

#endif
