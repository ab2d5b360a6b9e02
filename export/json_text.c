/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in JSON files: names come from programs and may hold any bytes. */
#include "export/json_text.h"

#include <stdbool.h>

/* Bytes of the UTF-8 character at `text`; 0: not one. */
static size_t utf8_length(const unsigned char *text)
{
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

void export_json_string(FILE *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	fputc('"', out);
	while (*at) {
		size_t length = utf8_length(at);
		if (length == 0)
			fputs("\\ufffd", out);
		else if (*at == '"' || *at == '\\')
			fprintf(out, "\\%c", *at);
		else if (*at < 0x20)
			fprintf(out, "\\u%04x", *at);
		else
			fwrite(at, 1, length, out);
		at += length ? length : 1;
	}
	fputc('"', out);
}
