/* SPDX-License-Identifier: BSD-3-Clause */
/* Names come from programs and may hold any bytes; most formats want UTF-8. */
#ifndef HEDDLE_EXPORT_UTF8_TEXT_H
#define HEDDLE_EXPORT_UTF8_TEXT_H

#include <stddef.h>

/* Bytes of the UTF-8 character at `text`, which ends with NUL; 0: they are none. */
size_t export_utf8_length(const char *text);

/*
 * A copy in which bytes that are no UTF-8 are U+FFFD, and control characters `control`; '\0': these stay. To be freed
 * with free(); NULL: no memory.
 */
char *export_utf8_copy(const char *text, char control);

#endif
