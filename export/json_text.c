/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in JSON files: names come from programs and may hold any bytes. */
#include "export/json_text.h"

#include "export/utf8_text.h"

void export_json_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (size_t length; *text; text += length ? length : 1) {
		length = export_utf8_length(text);
		if (length == 0)
			fputs("\\ufffd", out);
		else if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((unsigned char)*text < 0x20)
			fprintf(out, "\\u%04x", (unsigned char)*text);
		else
			fwrite(text, 1, length, out);
	}
	fputc('"', out);
}
