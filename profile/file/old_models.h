/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The models of files written before profiles described their models: then there were OpenMP and UPC. The only place
 * in the reader that knows models by name; nothing is ever added here, because new models describe themselves.
 */
#ifndef HEDDLE_PROFILE_OLD_MODELS_H
#define HEDDLE_PROFILE_OLD_MODELS_H

#include "profile/file/model.h"

/* Adds them to an empty table. 0 or -ENOMEM. */
int profile_old_models_add(struct profile_models *models);

/* The name of the model of a runtime's module or state; "": no runtime. */
const char *profile_old_model_of_role(uint32_t role);
const char *profile_old_model_of_state(enum heddle_state state);

/* The name of the model whose runtime created a thread with that role; and of the model that gave threads their ranks.
 */
const char *profile_old_model_of_thread(const char *role);
const char *profile_old_model_of_rank(uint32_t rank);

/* The role (enum heddle_event_role) of an event that has none, of the time before events of accesses had roles. */
uint32_t profile_old_role(const char *model, const char *event, uint32_t category);

#endif
