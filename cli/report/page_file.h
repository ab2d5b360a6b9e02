/* SPDX-License-Identifier: BSD-3-Clause */
/* The file that a page is written to: what is refused, and what is said. */
#ifndef HEDDLE_CLI_PAGE_FILE_H
#define HEDDLE_CLI_PAGE_FILE_H

#include <stdio.h>

/* Before anything is read: 0, or an exit status after one line on stderr, as `command`. */
int heddle__page_check(const char *command, const char *path);

/*
 * Makes the file and has `write` fill it (0 or a negative error of the measurement, which is called `measured` in
 * complaints). Says where it is. 0, or an exit status after a line.
 */
int heddle__page_write(const char *command, const char *path, const char *measured,
	int (*write)(const void *context, FILE *out), const void *context);

#endif
