/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in JSON files. Names come from programs and may have any bytes. */
#include "export/json_text.h"

#include "profile/base/printable.h"

#include <inttypes.h>
#include <string.h>

/* Writes an escape sequence: all control characters are in the Basic Multilingual Plane. */
static void put_escaped(FILE *out, const char *text, size_t bytes)
{
	uint32_t number = (unsigned char)text[0] & (0xffu >> (bytes + (bytes > 1)));
	for (size_t i = 1; i < bytes; i++)
		number = number << 6 | ((unsigned char)text[i] & 0x3f);
	fprintf(out, "\\u%04" PRIx32, number);
}

void export_json_string(FILE *out, const char *text)
{
	size_t left = strlen(text), bytes;
	fputc('"', out);
	for (; left; text += bytes, left -= bytes) {
		enum profile_character kind = profile_character_at(text, left, &bytes);
		if (kind == HEDDLE_CHARACTER_NONE || kind == HEDDLE_CHARACTER_PART) {
			fputs("\\ufffd", out);
			bytes = 1;
		} else if (*text == '"' || *text == '\\') {
			fprintf(out, "\\%c", *text);
		} else if (kind == HEDDLE_CHARACTER_CONTROL) {
			put_escaped(out, text, bytes);
		} else {
			fwrite(text, 1, bytes, out);
		}
	}
	fputc('"', out);
}

void export_json_strings(FILE *out, const char *name, const char *const *texts, size_t count)
{
	fprintf(out, "\"%s\":[", name);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? "," : "", out);
		export_json_string(out, texts[i]);
	}
	fputc(']', out);
}
