/* SPDX-License-Identifier: BSD-3-Clause */
/* Well-formed UTF-8 as Unicode defines it: shortest forms, no surrogates, nothing above U+10FFFF. */
#include "export/utf8_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD; three bytes for one */

size_t export_utf8_length(const char *bytes)
{
	const unsigned char *text = (const unsigned char *)bytes;
	size_t length = text[0] < 0x80 ? 1 : text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
	if (text[0] >= 0xf8 || (text[0] >= 0x80 && text[0] < 0xc2))
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	bool overlong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
	bool surrogate = (text[0] == 0xed && text[1] >= 0xa0) || (text[0] == 0xf4 && text[1] >= 0x90);
	return overlong || surrogate || text[0] > 0xf4 ? 0 : length;
}

char *export_utf8_copy(const char *text, char control)
{
	char *copy = malloc(3 * strlen(text) + 1), *at = copy;
	while (copy && *text) {
		size_t length = export_utf8_length(text);
		unsigned char first = (unsigned char)*text;
		if (length == 0) {
			memcpy(at, REPLACEMENT, 3);
			at += 3;
		} else if (control && (first < 0x20 || first == 0x7f)) {
			*at++ = control;
		} else {
			memcpy(at, text, length);
			at += length;
		}
		text += length ? length : 1;
	}
	if (copy)
		*at = '\0';
	return copy;
}
