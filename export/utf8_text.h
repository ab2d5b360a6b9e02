/* SPDX-License-Identifier: BSD-3-Clause */
/* Names come from programs and may hold any bytes; most formats want UTF-8. */
#ifndef HEDDLE_EXPORT_UTF8_TEXT_H
#define HEDDLE_EXPORT_UTF8_TEXT_H

#include <stdio.h>

/*
 * A copy in which bytes that are no UTF-8 are U+FFFD, and control characters '?' (profile/base/printable.h). To be
 * freed with free(); NULL: no memory.
 */
char *export_utf8_copy(const char *text);

/* Writes such a copy. */
void export_put_text(FILE *out, const char *text);

#endif
