/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The models of files written before profiles described their models: OpenMP and UPC. This is the only place in the
 * reader that knows models by name; nothing is ever added to it, because new models describe themselves.
 */
#ifndef HEDDLE_PROFILE_OLD_MODELS_H
#define HEDDLE_PROFILE_OLD_MODELS_H

#include "profile/file/model.h"

/* Adds these models to an empty table. Returns 0 or -ENOMEM. */
int profile_old_models_add(struct profile_models *models);

/* Returns the name of the model whose runtime has such a module or state; "": not a runtime's. */
const char *profile_old_model_of_role(uint32_t role);
const char *profile_old_model_of_state(enum heddle_state state);

/* Return the model whose runtime created a thread with that role, and the model that gave a thread its rank. */
const char *profile_old_model_of_thread(const char *role);
const char *profile_old_model_of_rank(uint32_t rank);

/* Returns the role (enum heddle_event_role) of an event in a file written before events of accesses had roles. */
uint32_t profile_old_role(const char *model, const char *event, uint32_t category);

#endif
