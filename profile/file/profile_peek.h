/* SPDX-License-Identifier: BSD-3-Clause */
/* What a profile says of its process, without reading the rest of the file. */
#ifndef HEDDLE_PROFILE_PROFILE_PEEK_H
#define HEDDLE_PROFILE_PROFILE_PEEK_H

#include "heddle_profile.pb-c.h"

#include <stdbool.h>

/*
 * Reads the first section of a file that is not compressed. Returns 0, and *process to be freed by
 * heddle__profile__process__free_unpacked, or a negative error of errors.h.
 */
int profile_peek(const char *path, Heddle__Profile__Process **process);

/* Written while its process went on, and never again: it lacks what came later. */
bool profile_is_incomplete(const Heddle__Profile__Process *process);

#endif
