/* SPDX-License-Identifier: BSD-3-Clause */
/* Unpacks messages of profiles: all text of measurements is checked here. */
#ifndef HEDDLE_PROFILE_UNPACK_H
#define HEDDLE_PROFILE_UNPACK_H

#include <protobuf-c/protobuf-c.h>

/*
 * Unpacks a message of that type. All text in it is printable (profile_make_printable), so whoever shows it need not
 * look; but paths of modules, which are opened, are as they were, and Process.strings keep their tabs. To be freed as
 * any unpacked message; NULL: it is none, or no memory.
 */
void *profile_unpack(const ProtobufCMessageDescriptor *type, size_t size, const uint8_t *data);

#endif
