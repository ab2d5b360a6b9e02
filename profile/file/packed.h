/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of packed numbers of a message, read in place: unpacking a tree of thousands of nodes takes longer than merging
 * it. Messages of any other form are rejected, and left to profile_unpack. Nothing is trusted.
 */
#ifndef HEDDLE_PROFILE_PACKED_H
#define HEDDLE_PROFILE_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A field. All zeros: the message does not have it. */
struct profile_packed {
	const uint8_t *at, *end;
	size_t count; /* of numbers */
};

/*
 * Finds fields 1 to `most`, of numbers of at most 64 bits, and stores them from fields[0] on. Returns false if the
 * message has other fields, a field twice, or unpacked numbers, or if it is damaged.
 */
bool profile_packed_find(struct profile_packed *fields, uint32_t most, const uint8_t *data, size_t size);

/* Returns the next of `count` numbers. The last byte of a field always ends a number. Bits beyond 64 are dropped. */
static inline uint64_t profile_packed_next(struct profile_packed *field)
{
	uint64_t byte = *field->at++, value = byte & 0x7f;
	for (unsigned int shift = 7; byte & 0x80; shift += 7) {
		byte = *field->at++;
		value |= shift < 64 ? (byte & 0x7f) << shift : 0;
	}
	return value;
}

static inline int64_t profile_packed_signed(uint64_t zigzag)
{
	return (int64_t)(zigzag >> 1 ^ (0 - (zigzag & 1)));
}

#endif
