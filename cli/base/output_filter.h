/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The filter of all text that the command prints. Names come from programs, files and directories, and may contain any
 * bytes: control characters and bytes that are not UTF-8 become '?', in all output. On a terminal, the escape sequences
 * of this command's own styles pass, and characters other than ASCII pass only if its locale is UTF-8.
 */
#ifndef HEDDLE_CLI_OUTPUT_FILTER_H
#define HEDDLE_CLI_OUTPUT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Installs the filter on stdout and stderr; call after setlocale, before anything is printed. */
void heddle__output_filter_begin(void);

/* Lets styles pass to stdout although it is not a terminal. */
void heddle__output_filter_styles(void);

/*
 * Returns the stream behind the filter of stdout, for output that is not text; without a filter, stdout itself.
 * Unbuffered.
 */
FILE *heddle__output_filter_raw(void);

/* State between two pieces of text. */
struct heddle_output_filter {
	bool terminal, utf8;
	char part[16]; /* an incomplete character or sequence */
	size_t part_length;
};

/*
 * Appends the next `length` bytes, filtered, to `out`, which has room for HEDDLE_OUTPUT_FILTER_ROOM(length) bytes.
 * Returns the number of bytes appended.
 */
size_t heddle__output_filter_apply(struct heddle_output_filter *state, char *out, const char *text, size_t length);
#define HEDDLE_OUTPUT_FILTER_ROOM(length) ((length) + sizeof(((struct heddle_output_filter *)0)->part))

#endif
