/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The door of all text that the command prints. Names come from programs, files and directories, and may hold any
 * bytes: control characters and bytes that are no UTF-8 become '?', whoever prints them. On a terminal, the sequences
 * of this command's own styles pass, and other characters than ASCII only if its locale is UTF-8.
 */
#ifndef HEDDLE_CLI_PRINTED_H
#define HEDDLE_CLI_PRINTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Puts the door before stdout and stderr; after setlocale, before anything is printed. */
void heddle__printed_begin(void);

/* The stream behind the door of stdout, for what is not text; stdout itself without a door. Nothing is buffered. */
FILE *heddle__printed_raw(void);

/* What the door keeps from one piece of text to the next. */
struct heddle_printed {
	bool terminal, utf8;
	char part[16]; /* a character or sequence that has begun */
	size_t part_length;
};

/*
 * Puts the next `length` bytes, as they may be printed, to `out`, which has room for HEDDLE_PRINTED_ROOM(length).
 * Returns how many bytes that are.
 */
size_t heddle__printed_filter(struct heddle_printed *printed, char *out, const char *text, size_t length);
#define HEDDLE_PRINTED_ROOM(length) ((length) + sizeof(((struct heddle_printed *)0)->part))

#endif
