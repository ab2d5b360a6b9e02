/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are written, and what became of them. */
#ifndef HEDDLE_CLI_OUTPUT_FILE_H
#define HEDDLE_CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Makes a file and opens it to write. An existing file is opened only if it is a device or a FIFO that someone reads:
 * it is never overwritten. NULL: see errno.
 */
FILE *heddle__output_file_create(const char *path);

/* Writes what is buffered. 0, or errno of what could not be written, now or earlier. `out` stays the caller's. */
int heddle__output_file_flush(FILE *out);

/*
 * The same, and closes it. A new file that is not whole, because of that or as the caller `failed`, is removed: it is
 * of no use, and would be in the way of another try.
 */
int heddle__output_file_close(FILE *out, const char *path, bool failed);

#endif
