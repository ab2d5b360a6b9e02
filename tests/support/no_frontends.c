/* SPDX-License-Identifier: BSD-3-Clause */
/* Core alone: a test that needs a front end has a table of its own. */
#include <stddef.h>

#include "core/threads/frontend.h"

const struct heddle_frontend *const heddle__frontends[] = {NULL};
