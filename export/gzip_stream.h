/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream that compresses. */
#ifndef HEDDLE_EXPORT_GZIP_STREAM_H
#define HEDDLE_EXPORT_GZIP_STREAM_H

#include <stdio.h>

/*
 * Returns a stream whose contents are written to `out` in gzip format. fclose completes them, returns an error if they
 * could not be written, and leaves `out` open. NULL: no memory.
 */
FILE *export_gzip_open(FILE *out);

#endif
