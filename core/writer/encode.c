/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers (a fatal signal writes the profile). */
#include "core/writer/encode.h"

#include <string.h>

#include "core/base/memory.h"

#define FIRST_ROOM ((size_t)64 << 10)

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_LENGTH = 2 };

void heddle__buffer_free(struct heddle_buffer *buffer)
{
	heddle__unmap(buffer->data, buffer->room);
	*buffer = (struct heddle_buffer){0};
}

void heddle__buffer_clear(struct heddle_buffer *buffer)
{
	buffer->size = 0;
}

static bool reserve(struct heddle_buffer *buffer, size_t more)
{
	if (buffer->failed)
		return false;
	if (buffer->size + more <= buffer->room)
		return true;
	size_t room = buffer->room ? buffer->room : FIRST_ROOM;
	while (room < buffer->size + more && room << 1)
		room *= 2;
	uint8_t *data = heddle__map(room);
	if (!data) {
		buffer->failed = true;
		return false;
	}
	if (buffer->data)
		memcpy(data, buffer->data, buffer->size);
	heddle__unmap(buffer->data, buffer->room);
	buffer->data = data;
	buffer->room = room;
	return true;
}

void heddle__put_varint(struct heddle_buffer *buffer, uint64_t value)
{
	if (!reserve(buffer, 10))
		return;
	while (value >= 0x80) {
		buffer->data[buffer->size++] = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	buffer->data[buffer->size++] = (uint8_t)value;
}

void heddle__put_uint(struct heddle_buffer *buffer, unsigned int field, uint64_t value)
{
	if (!value)
		return;
	heddle__put_varint(buffer, field << 3 | WIRE_VARINT);
	heddle__put_varint(buffer, value);
}

void heddle__put_double(struct heddle_buffer *buffer, unsigned int field, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	if (!bits)
		return;
	heddle__put_varint(buffer, field << 3 | WIRE_FIXED64);
	if (reserve(buffer, sizeof(bits))) {
		for (unsigned int i = 0; i < sizeof(bits); i++)
			buffer->data[buffer->size++] = (uint8_t)(bits >> 8 * i);
	}
}

void heddle__put_bytes(struct heddle_buffer *buffer, unsigned int field, const void *bytes, size_t size)
{
	heddle__put_varint(buffer, field << 3 | WIRE_LENGTH);
	heddle__put_varint(buffer, size);
	if (size && reserve(buffer, size)) {
		memcpy(buffer->data + buffer->size, bytes, size);
		buffer->size += size;
	}
}

void heddle__put_string(struct heddle_buffer *buffer, unsigned int field, const char *string)
{
	if (string && *string)
		heddle__put_bytes(buffer, field, string, strlen(string));
}

void heddle__put_block(struct heddle_buffer *buffer, unsigned int field, const struct heddle_buffer *block)
{
	if (block->failed)
		buffer->failed = true;
	else if (block->size)
		heddle__put_bytes(buffer, field, block->data, block->size);
}

uint32_t heddle__crc32(const void *bytes, size_t size)
{
	uint32_t table[16];
	const uint8_t *at = bytes;
	uint32_t crc = 0xffffffffu;
	for (uint32_t i = 0; i < 16; i++) {
		table[i] = i;
		for (int bit = 0; bit < 4; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
	}
	for (size_t i = 0; i < size; i++) {
		crc = crc >> 4 ^ table[(crc ^ at[i]) & 15];
		crc = crc >> 4 ^ table[(crc ^ at[i] >> 4) & 15];
	}
	return ~crc;
}
