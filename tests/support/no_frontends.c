/* SPDX-License-Identifier: BSD-3-Clause */
/* An empty table of front ends: a test that needs a front end links a table of its own. */
#include <stddef.h>

#include "core/threads/frontend.h"

const struct heddle_frontend *const heddle__frontends[] = {NULL};
