/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the library that the test preloads. */
#include <stddef.h>

#include "core/threads/frontend.h"

extern const struct heddle_frontend heddle__relay_frontend;
extern const struct heddle_frontend heddle__sampler_frontend;

const struct heddle_frontend *const heddle__frontends[] = {
	&heddle__relay_frontend,
	&heddle__sampler_frontend,
	NULL,
};
