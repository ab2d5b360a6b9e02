/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts names of programs, which may have any bytes, to UTF-8, which most formats expect. */
#ifndef HEDDLE_EXPORT_UTF8_TEXT_H
#define HEDDLE_EXPORT_UTF8_TEXT_H

#include <stdio.h>

/*
 * Returns a copy in which bytes that are not UTF-8 are U+FFFD, and control characters '?' (profile/base/printable.h).
 * Free it with free(). NULL: no memory.
 */
char *export_utf8_copy(const char *text);

/* Writes such a copy. */
void export_put_text(FILE *out, const char *text);

#endif
