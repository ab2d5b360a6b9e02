/* SPDX-License-Identifier: BSD-3-Clause */
/* Shortens names of C++ functions for narrow columns: template arguments and types go, the identifying parts remain. */
#ifndef HEDDLE_ANALYSIS_SHORT_NAME_H
#define HEDDLE_ANALYSIS_SHORT_NAME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns a copy of `name` in which ellipses replace the contents of brackets, the longest first, until it takes at
 * most `room` columns: "std::sort<...>(...)". Then an ellipsis replaces qualifiers, if the rest fits: "...::swap". The
 * result may still be too long. The caller frees it. NULL: the name fits, nothing can be left out, or no memory.
 */
char *heddle__short_name(const char *name, size_t room, bool utf8);

#endif
