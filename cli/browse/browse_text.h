/* SPDX-License-Identifier: BSD-3-Clause */
/* Names from programs may contain any bytes: this makes them safe for a terminal. */
#ifndef HEDDLE_CLI_BROWSE_TEXT_H
#define HEDDLE_CLI_BROWSE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes `length` bytes of text to `out`, terminated by NUL, at most `size` bytes. Control characters, bytes that are
 * not UTF-8, characters that are invisible or change the direction of writing, and without `utf8` all non-ASCII
 * characters become "\n", "\x1b", "\u00e9". Tabs become blanks up to the next multiple of 8 columns if `tabs`. Returns
 * `out`.
 */
char *heddle__browse_escape(char *out, size_t size, const char *text, size_t length, bool utf8, bool tabs);

/* True if a text contains another one. If `wanted` has no capital letters, case is ignored. */
bool heddle__browse_matches(const char *text, size_t length, const char *wanted);

#endif
