/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens files to read. Their names come from directories and measurements that others may have written to. */
#ifndef HEDDLE_PROFILE_REGULAR_FILE_H
#define HEDDLE_PROFILE_REGULAR_FILE_H

#include <stdio.h>

/*
 * Opens a regular file to read it. Never waits: opening a FIFO or a device could wait forever. Returns a descriptor, or
 * a negative errno: -EISDIR for a directory, -ENOTSUP for anything else that is not a regular file.
 */
int profile_open_regular(const char *path);

/* Like profile_open_regular, but returns a stream; NULL: see errno. */
FILE *profile_open_stream(const char *path);

#endif
