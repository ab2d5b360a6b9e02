/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes text to JSON files. */
#ifndef HEDDLE_EXPORT_JSON_TEXT_H
#define HEDDLE_EXPORT_JSON_TEXT_H

#include <stdio.h>

/* Writes a text as a JSON string, with quotes; bytes that are not UTF-8 become U+FFFD. */
void export_json_string(FILE *out, const char *text);

/* Writes `"name":["text",...]`. */
void export_json_strings(FILE *out, const char *name, const char *const *texts, size_t count);

#endif
