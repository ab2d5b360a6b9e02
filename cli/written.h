/* SPDX-License-Identifier: BSD-3-Clause */
/* What became of a file that was written. */
#ifndef HEDDLE_CLI_WRITTEN_H
#define HEDDLE_CLI_WRITTEN_H

#include <stdio.h>

/* Writes what is buffered. 0, or errno of what could not be written, now or earlier. `out` stays the caller's. */
int heddle__written(FILE *out);

#endif
