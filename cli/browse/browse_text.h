/* SPDX-License-Identifier: BSD-3-Clause */
/* Names from programs may hold any bytes: what of them may be sent to a terminal. */
#ifndef HEDDLE_CLI_BROWSE_TEXT_H
#define HEDDLE_CLI_BROWSE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes `length` bytes of text to `out`, ended by NUL, at most `size` bytes: control characters, bytes that are no
 * UTF-8, characters without a form of their own or that change the direction of writing, and without `utf8` all that
 * are not ASCII become "\n", "\x1b", "\u00e9". Tabs become blanks up to the next of 8 columns if `tabs`. Returns `out`.
 */
char *heddle__browse_escape(char *out, size_t size, const char *text, size_t length, bool utf8, bool tabs);

/* Returns true if a text holds another; if that has no capital letters, capital ones of the text count as small. */
bool heddle__browse_matches(const char *text, size_t length, const char *wanted);

#endif
