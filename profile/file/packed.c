/* SPDX-License-Identifier: BSD-3-Clause */
/* The encoding of Protocol Buffers: a tag and a length before each field; numbers have seven bits per byte. */
#include "profile/file/packed.h"

#include <string.h>

#define WITH_LENGTH 2 /* wire type of packed fields */

static bool read_number(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
	*value = 0;
	for (unsigned int shift = 0; *at < end && shift < 63; shift += 7) {
		uint8_t byte = *(*at)++;
		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* The last byte of a number is below 0x80: counts these bytes, eight at a time. */
static bool count_numbers(struct profile_packed *field)
{
	static const uint64_t ones = UINT64_C(0x0101010101010101);
	const uint8_t *at = field->at;
	for (uint64_t word; field->end - at >= 8; at += 8) {
		memcpy(&word, at, 8);
		field->count += ((~word >> 7 & ones) * ones) >> 56;
	}
	for (; at < field->end; at++)
		field->count += *at < 0x80;
	return field->at == field->end || field->end[-1] < 0x80;
}

bool profile_packed_find(struct profile_packed *fields, uint32_t most, const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size;
	uint64_t tag, length;
	while (data < end) {
		if (!read_number(&data, end, &tag) || !read_number(&data, end, &length))
			return false;
		if ((tag & 7) != WITH_LENGTH || tag >> 3 == 0 || tag >> 3 > most || length > (size_t)(end - data))
			return false;
		struct profile_packed *field = &fields[(tag >> 3) - 1];
		if (field->at)
			return false;
		*field = (struct profile_packed){data, data + length, 0};
		if (!count_numbers(field))
			return false;
		data += length;
	}
	return true;
}
