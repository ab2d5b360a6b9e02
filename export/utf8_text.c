/* SPDX-License-Identifier: BSD-3-Clause */
/* Like profile/base/printable.h, but replaces invalid bytes by Unicode's replacement character. */
#include "export/utf8_text.h"

#include "profile/base/printable.h"

#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD; three bytes for one */

char *export_utf8_copy(const char *text)
{
	size_t left = strlen(text), bytes;
	char *copy = malloc(3 * left + 1), *at = copy;
	for (; copy && left; text += bytes, left -= bytes) {
		switch (profile_character_at(text, left, &bytes)) {
		case HEDDLE_CHARACTER_PRINTABLE:
			at = mempcpy(at, text, bytes);
			break;
		case HEDDLE_CHARACTER_CONTROL:
			*at++ = '?';
			break;
		default:
			bytes = 1;
			at = mempcpy(at, REPLACEMENT, 3);
		}
	}
	if (copy)
		*at = '\0';
	return copy;
}

void export_put_text(FILE *out, const char *text)
{
	char *copy = export_utf8_copy(text);
	if (copy)
		fputs(copy, out);
	free(copy);
}
