/* SPDX-License-Identifier: BSD-3-Clause */
/* The output file of a page: what is refused, and what is printed about it. */
#ifndef HEDDLE_CLI_PAGE_FILE_H
#define HEDDLE_CLI_PAGE_FILE_H

#include <stdio.h>

/*
 * Checks the path before anything is read. Returns 0, or an exit status after one line on stderr, in the name of
 * `command`.
 */
int heddle__page_check(const char *command, const char *path);

/*
 * Creates the file, calls `write` to fill it, and prints where it is. `write` returns 0 or a negative error of the
 * measurement, which complaints call `measured`. Returns 0, or an exit status after a line.
 */
int heddle__page_write(const char *command, const char *path, const char *measured,
	int (*write)(const void *context, FILE *out), const void *context);

#endif
