/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The filter of all text that the command prints. Names come from programs, files and directories, and may have any
 * bytes: control characters and bytes that are no UTF-8 become '?', whoever prints them. On a terminal, the sequences
 * of this command's own styles pass, and other characters than ASCII only if its locale is UTF-8.
 */
#ifndef HEDDLE_CLI_OUTPUT_FILTER_H
#define HEDDLE_CLI_OUTPUT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Puts the filter in front of stdout and stderr; after setlocale, before anything is printed. */
void heddle__output_filter_begin(void);

/* Lets styles pass to stdout, though it is not a terminal. */
void heddle__output_filter_styles(void);

/* The stream behind the filter of stdout, for what is not text; stdout itself without a filter. Nothing is buffered. */
FILE *heddle__output_filter_raw(void);

/* State from one piece of text to the next. */
struct heddle_output_filter {
	bool terminal, utf8;
	char part[16]; /* a character or sequence that has begun */
	size_t part_length;
};

/*
 * Puts the next `length` bytes, as they may be printed, to `out`, which has room for HEDDLE_OUTPUT_FILTER_ROOM(length).
 * Returns how many bytes that are.
 */
size_t heddle__output_filter_apply(struct heddle_output_filter *state, char *out, const char *text, size_t length);
#define HEDDLE_OUTPUT_FILTER_ROOM(length) ((length) + sizeof(((struct heddle_output_filter *)0)->part))

#endif
