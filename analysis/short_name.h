/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of C++ functions for narrow places: what identifies them remains, arguments of templates and types go. */
#ifndef HEDDLE_ANALYSIS_SHORT_NAME_H
#define HEDDLE_ANALYSIS_SHORT_NAME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A copy of `name` in which an ellipsis stands for the contents of brackets, the longest first, until it takes at most
 * `room` columns: "std::sort<...>(...)". Then one stands for qualifiers, if what remains fits: "...::swap". It may
 * still be too long. The caller frees it. NULL: the name fits, there is nothing to leave out, or no memory.
 */
char *heddle__short_name(const char *name, size_t room, bool utf8);

#endif
