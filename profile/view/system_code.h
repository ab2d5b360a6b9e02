/* SPDX-License-Identifier: BSD-3-Clause */
/* Distinguishes code that came with the system from code of the user. */
#ifndef HEDDLE_PROFILE_SYSTEM_CODE_H
#define HEDDLE_PROFILE_SYSTEM_CODE_H

#include "profile/view/view.h"

/*
 * True for a function of a library in a directory of the system, of a runtime, or of a header there that was inlined
 * into the program. False for regions, phases and states.
 */
bool profile_is_system_code(const struct profile_label *label);

/* The node itself, or the nearest one above it that is not system code; itself if all are. */
uint32_t profile_user_code(const struct profile_view *view, uint32_t node);

/* The same; of a region whose code is the system's, such as malloc in operator new, what called that code. */
uint32_t profile_user_place(const struct profile_view *view, uint32_t node);

/*
 * The name under which programs call a function of the system: "sin" for "__sin_fma", one of the C library's versions
 * for a processor, "cexp" for "__cexp". Into `room` of `size` bytes, or the label's own text.
 */
const char *profile_public_name(const struct profile_label *label, char *room, size_t size);

/* The outermost system code between a node and its profile_user_code; the node itself if that is the node. */
uint32_t profile_system_entry(const struct profile_view *view, uint32_t node);

#endif
