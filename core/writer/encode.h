/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Protocol Buffers encoder without a library: a growing block of mapped memory, and the few wire types the schema
 * uses. Calls after memory ran out change nothing; check `failed` at the end.
 */
#ifndef HEDDLE_CORE_ENCODE_H
#define HEDDLE_CORE_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heddle_buffer {
	uint8_t *data;
	size_t size, room;
	bool failed;
};

/* Context of all of these: any thread, signal. A zeroed struct is an empty buffer. */
void heddle__buffer_free(struct heddle_buffer *buffer);
void heddle__buffer_clear(struct heddle_buffer *buffer);

/* Puts a varint without a tag, as in a packed column. */
void heddle__put_varint(struct heddle_buffer *buffer, uint64_t value);

/* Put fields; zero values and empty strings are left out, as in proto3. */
void heddle__put_uint(struct heddle_buffer *buffer, unsigned int field, uint64_t value);
void heddle__put_double(struct heddle_buffer *buffer, unsigned int field, double value);
void heddle__put_bytes(struct heddle_buffer *buffer, unsigned int field, const void *bytes, size_t size);
void heddle__put_string(struct heddle_buffer *buffer, unsigned int field, const char *string);

/* Puts a packed column or an embedded message that was encoded in another buffer; empty ones are left out. */
void heddle__put_block(struct heddle_buffer *buffer, unsigned int field, const struct heddle_buffer *block);

static inline uint64_t heddle__zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

/* zlib's CRC-32. */
uint32_t heddle__crc32(const void *bytes, size_t size);

#endif
