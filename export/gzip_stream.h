/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream that compresses what is written to it. */
#ifndef HEDDLE_EXPORT_GZIP_STREAM_H
#define HEDDLE_EXPORT_GZIP_STREAM_H

#include <stdio.h>

/*
 * A stream whose contents go to `out` in gzip's format. fclose ends them and fails when they could not be written; it
 * leaves `out` open. NULL: no memory.
 */
FILE *export_gzip_open(FILE *out);

#endif
