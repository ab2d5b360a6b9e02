/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text that is read from files and shown to users. Terminals obey control characters, a line break forges lines, and
 * characters that change the direction of writing disguise text. The rest of Unicode is printable.
 */
#ifndef HEDDLE_PROFILE_PRINTABLE_H
#define HEDDLE_PROFILE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>

enum profile_character {
	HEDDLE_CHARACTER_PRINTABLE,
	HEDDLE_CHARACTER_CONTROL, /* U+0000 to U+001F, U+007F to U+009F, line separators, changes of direction */
	HEDDLE_CHARACTER_NONE,    /* a byte that is not UTF-8 in its shortest form */
	HEDDLE_CHARACTER_PART,    /* the text ends within a character */
};

/*
 * Returns the kind of the character at the start of `length` bytes (at least 1). Sets *bytes to its length: 1 for NONE,
 * all for PART.
 */
enum profile_character profile_character_at(const char *text, size_t length, size_t *bytes);

/* True if a text has no control character. */
bool profile_is_printable(const char *text);

/* Replaces each control character by '?', in place. Bytes that are not UTF-8 stay: writers of files replace them. */
void profile_make_printable(char *text);

#endif
