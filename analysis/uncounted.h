/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that were switched off while the program ran (heddle run --inst-min-time), and their calls since then. */
#ifndef HEDDLE_ANALYSIS_UNCOUNTED_H
#define HEDDLE_ANALYSIS_UNCOUNTED_H

#include <stddef.h>

#include "profile/view/view.h"

/* Returns a line that names them, those with most calls first, to be freed with free(). NULL: none, or no memory. */
char *heddle__uncounted_note(const struct profile_view *view);

#endif
