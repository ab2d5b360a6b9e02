/* SPDX-License-Identifier: BSD-3-Clause */
/* Unpacks messages of profiles, and checks all text in them. */
#ifndef HEDDLE_PROFILE_UNPACK_H
#define HEDDLE_PROFILE_UNPACK_H

#include <protobuf-c/protobuf-c.h>

/*
 * Unpacks a message of that type. Makes all text in it printable (profile_make_printable), so code that shows it need
 * not check it. Unchanged are only paths of modules, which are opened, and the tabs in Process.strings. Free it like
 * any unpacked message. NULL: not such a message, or no memory.
 */
void *profile_unpack(const ProtobufCMessageDescriptor *type, size_t size, const uint8_t *data);

#endif
