/* SPDX-License-Identifier: BSD-3-Clause */
/* Which files are a measured program's own sources, told by its modules on this machine. */
#ifndef HEDDLE_PROFILE_SOURCE_OWNER_H
#define HEDDLE_PROFILE_SOURCE_OWNER_H

#include "profile/measurement.h"

/* Whether a path lies below a directory; both absolute, without links. */
bool profile_is_below(const char *path, const char *directory);

/*
 * Whether a file, by its path without links, is below the directory of a module of the measurement that is on this
 * machine as it was measured and belongs to the user or to root; with `named`, only if the debug information of such a
 * module names it. The module's compilation directory counts for nothing: who makes a module chooses it freely.
 * Context: one thread.
 */
bool profile_source_is_owned(const struct profile_measurement *measurement, const char *path, bool named);

#endif
