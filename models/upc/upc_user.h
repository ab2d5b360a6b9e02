/* SPDX-License-Identifier: BSD-3-Clause */
/* User events: GASP 1.5, sections 3.4 and 5.3. */
#ifndef HEDDLE_MODELS_UPC_USER_H
#define HEDDLE_MODELS_UPC_USER_H

#include "models/upc/upc_context.h"
#include "models/upc/upc_notice.h"

/*
 * Determines the types of the arguments that a printf format describes; at most HEDDLE_UPC_ARGUMENTS. Returns their
 * number, or -1 if the format cannot be parsed; then `problem` is the reason. Never formats anything.
 */
int heddle__upc_parse_description(const char *description, uint8_t *classes, const char **problem);

/*
 * Creates a user event of the context's thread. If all numbers are used, ends the process after writing the profile.
 * Context: owner thread.
 */
unsigned int heddle__upc_user_create(struct _gasp_context_S *context, const char *name, const char *description);

/* Measures a user event at its start, at its end, or without duration. Context: owner thread, inside. */
void heddle__upc_user_notify(
	struct heddle_thread *thread, struct heddle_upc_notice *notice, const struct heddle_upc_user_event *event);

#endif
