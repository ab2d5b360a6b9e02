/* SPDX-License-Identifier: BSD-3-Clause */
/* Distinguishes code of the operating system's packages from code of the user. */
#ifndef HEDDLE_PROFILE_SYSTEM_CODE_H
#define HEDDLE_PROFILE_SYSTEM_CODE_H

#include "profile/view/view.h"

/*
 * True for a function of a library in a directory of the system, of a runtime, or of a header in such a directory that
 * was inlined into the program. False for regions, phases and states.
 */
bool profile_is_system_code(const struct profile_label *label);

/* Returns the nearest node upwards, from the node itself, that is not system code; the node itself if all are. */
uint32_t profile_user_code(const struct profile_view *view, uint32_t node);

/* Like profile_user_code, but a region in system code, such as malloc in operator new, resolves to its caller. */
uint32_t profile_user_place(const struct profile_view *view, uint32_t node);

/*
 * Returns the name under which programs call a function of the system: "sin" for "__sin_fma", a version of the C
 * library for some processors; "cexp" for "__cexp". It is in `room`, which has `size` bytes, or is the label's own
 * text.
 */
const char *profile_public_name(const struct profile_label *label, char *room, size_t size);

/* Returns the outermost system code between a node and its profile_user_code; the node itself if both are the same. */
uint32_t profile_system_entry(const struct profile_view *view, uint32_t node);

#endif
