/* SPDX-License-Identifier: BSD-3-Clause */
/* Escaping and searching. Only printable characters of a name are sent to the terminal. */
#include "cli/browse/browse_text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include <wctype.h>

/*
 * Returns the bytes of the UTF-8 character at `text`, and stores its number; 0: not a character. Overlong forms and
 * surrogates are not characters.
 */
static size_t decode(const char *text, size_t length, uint32_t *character)
{
	static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
	unsigned char first = (unsigned char)text[0];
	size_t more = first >= 0xf5 ? 0 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
	if (more == 0 || more >= length)
		return 0;
	*character = first & (0x3fu >> more);
	for (size_t i = 1; i <= more; i++) {
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return 0;
		*character = *character << 6 | ((unsigned char)text[i] & 0x3f);
	}
	bool surrogate = *character >= 0xd800 && *character <= 0xdfff;
	return *character < least[more] || *character > 0x10ffff || surrogate ? 0 : more + 1;
}

/* False for characters that change the places of others, or that cannot be seen. */
static bool is_visible(uint32_t character)
{
	bool directs = (character >= 0x200b && character <= 0x200f) || (character >= 0x2028 && character <= 0x202e) ||
		       (character >= 0x2060 && character <= 0x206f) || character == 0xfeff || character == 0x061c;
	return !directs && iswprint((wint_t)character) && wcwidth((wchar_t)character) > 0;
}

/* Makes one character or byte printable; returns how many bytes of text it was. */
static size_t show(char shown[16], const char *text, size_t length, bool utf8)
{
	unsigned char first = (unsigned char)text[0];
	uint32_t character;
	size_t bytes = first < 0x80 ? 0 : decode(text, length, &character);
	if (first >= 0x20 && first < 0x7f)
		snprintf(shown, 16, "%c", first);
	else if (bytes && utf8 && is_visible(character))
		snprintf(shown, 16, "%.*s", (int)bytes, text);
	else if (bytes)
		snprintf(shown, 16, character > 0xffff ? "\\U%08x" : "\\u%04x", character);
	else if (first == '\n' || first == '\t' || first == '\r')
		snprintf(shown, 16, "\\%c", first == '\n' ? 'n' : first == '\t' ? 't' : 'r');
	else
		snprintf(shown, 16, "\\x%02x", first);
	return bytes ? bytes : 1;
}

char *heddle__browse_escape(char *out, size_t size, const char *text, size_t length, bool utf8, bool tabs)
{
	size_t used = 0, column = 0;
	for (size_t at = 0; at < length && text[at];) {
		char shown[16];
		size_t bytes = show(shown, text + at, length - at, utf8);
		if (tabs && text[at] == '\t')
			snprintf(shown, sizeof(shown), "%*s", (int)(8 - column % 8), "");
		else if (tabs && text[at] == '\r')
			shown[0] = '\0';
		size_t more = strlen(shown);
		if (used + more + 1 > size)
			break;
		memcpy(out + used, shown, more);
		used += more;
		column += (unsigned char)shown[0] < 0x80 ? more : 1;
		at += bytes;
	}
	out[used] = '\0';
	return out;
}

bool heddle__browse_matches(const char *text, size_t length, const char *wanted)
{
	size_t size = strlen(wanted);
	bool exact = false;
	for (const char *at = wanted; *at; at++)
		exact |= isupper((unsigned char)*at) != 0;
	for (size_t i = 0; size && i + size <= length; i++)
		if ((exact ? strncmp(text + i, wanted, size) : strncasecmp(text + i, wanted, size)) == 0)
			return true;
	return false;
}
