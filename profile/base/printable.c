/* SPDX-License-Identifier: BSD-3-Clause */
/* Well-formed UTF-8 as Unicode defines it: shortest forms, no surrogates, nothing above U+10FFFF. */
#include "profile/base/printable.h"

#include <stdint.h>
#include <string.h>

static bool is_control(uint32_t character)
{
	return character < 0x20 || (character >= 0x7f && character <= 0x9f) || character == 0x61c ||
	       (character >= 0x2028 && character <= 0x202e) || (character >= 0x2066 && character <= 0x2069);
}

/* Returns the length of a character that begins with this byte; 0: no character does. */
static size_t length_by_first(unsigned char first)
{
	return first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

/* True if the second byte excludes overlong forms, surrogates, and characters above U+10FFFF. */
static bool is_second(unsigned char first, unsigned char second)
{
	unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
	unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
	return second >= low && second <= high;
}

enum profile_character profile_character_at(const char *text, size_t length, size_t *bytes)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t size = length_by_first(at[0]);
	uint32_t character = size < 2 ? at[0] : at[0] & (0x7fu >> size);
	*bytes = 1;
	if (size == 0)
		return HEDDLE_CHARACTER_NONE;
	for (size_t i = 1; i < size && i < length; i++) {
		if ((at[i] & 0xc0) != 0x80 || (i == 1 && !is_second(at[0], at[1])))
			return HEDDLE_CHARACTER_NONE;
		character = character << 6 | (at[i] & 0x3f);
	}
	*bytes = size < length ? size : length;
	if (size > length)
		return HEDDLE_CHARACTER_PART;
	return is_control(character) ? HEDDLE_CHARACTER_CONTROL : HEDDLE_CHARACTER_PRINTABLE;
}

/* Returns the text after the printable ASCII characters at its start, of which most texts consist. */
static const char *skip_ascii(const char *text)
{
	while (*text >= ' ' && *text < 0x7f)
		text++;
	return text;
}

bool profile_is_printable(const char *text)
{
	text = skip_ascii(text);
	size_t left = strlen(text), bytes;
	for (; left; text += bytes, left -= bytes)
		if (profile_character_at(text, left, &bytes) == HEDDLE_CHARACTER_CONTROL)
			return false;
	return true;
}

void profile_make_printable(char *text)
{
	const char *from = skip_ascii(text);
	size_t left = strlen(from), bytes;
	char *to = text + (from - text);
	for (; left; from += bytes, left -= bytes) {
		if (profile_character_at(from, left, &bytes) == HEDDLE_CHARACTER_CONTROL) {
			*to++ = '?';
			continue;
		}
		memmove(to, from, bytes);
		to += bytes;
	}
	if (*to)
		*to = '\0';
}
