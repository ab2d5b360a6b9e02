/* SPDX-License-Identifier: BSD-3-Clause */
/* Output files: creating them, and detecting errors of writing. */
#ifndef HEDDLE_CLI_OUTPUT_FILE_H
#define HEDDLE_CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Creates a file and opens it for writing. An existing file is never overwritten; it is opened only if it is a device,
 * or a FIFO with a reader. NULL: see errno.
 */
FILE *heddle__output_file_create(const char *path);

/* Writes buffered data. Returns 0, or the errno of a failed write, now or earlier. The caller keeps `out`. */
int heddle__output_file_flush(FILE *out);

/*
 * Like heddle__output_file_flush, and closes the stream. A new file that is incomplete, because of an error or because
 * the caller `failed`, is removed: it is useless, and another run could not create it again.
 */
int heddle__output_file_close(FILE *out, const char *path, bool failed);

#endif
