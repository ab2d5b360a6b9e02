/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of structures, by debug information. */
#ifndef HEDDLE_PROFILE_MEMBER_NAME_H
#define HEDDLE_PROFILE_MEMBER_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile_code_file;

/*
 * Writes the name of the member of a structure or union at a byte offset to `name`: "now", "inner.x", "row[]". `type`
 * is written as in C, with or without "struct", or is the name of a typedef. False: not found, or a type of that name
 * has another size.
 */
bool profile_member_name(
	struct profile_code_file *file, const char *type, uint64_t type_size, uint64_t offset, char *name, size_t size);

#endif
