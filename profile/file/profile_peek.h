/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what a profile records about its process, without the rest of the file. */
#ifndef HEDDLE_PROFILE_PROFILE_PEEK_H
#define HEDDLE_PROFILE_PROFILE_PEEK_H

#include "heddle_profile.pb-c.h"

#include <stdbool.h>

/*
 * Reads the first section of a file that is not compressed. Returns 0, or a negative error of errors.h. Free *process
 * with heddle__profile__process__free_unpacked.
 */
int profile_peek(const char *path, Heddle__Profile__Process **process);

/* True if the profile was written while its process continued, and never again: it lacks what was measured later. */
bool profile_is_incomplete(const Heddle__Profile__Process *process);

#endif
