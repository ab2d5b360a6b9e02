/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The final contents of a program's shared memory, for `heddle tune --check`: sources that are compiled with the
 * program, and comparing what they wrote.
 */
#ifndef HEDDLE_CLI_TUNE_CONTENTS_H
#define HEDDLE_CLI_TUNE_CONTENTS_H

#include "tune/syntax.h"

/*
 * UPC source with the program's real main. Linked with a wrapper, it makes each thread write PATH.THREAD when the
 * program's main has returned: a line with a hash for each shared variable and block.
 */
extern const char heddle__tune_contents_source[];
/* The macros that the program itself is compiled with, so that its main and allocations come there; ended by NULL. */
extern const char *const heddle__tune_contents_macros[];

/* Source that includes `path` and hashes the shared variables that `file` declares; to be compiled with
 * -DHEDDLE_CONTENTS="PATH". */
const char *heddle__tune_contents_wrapper(const struct tune_file *file, const char *path);

/*
 * True if all lines of BEFORE.T are in AFTER.T, for each thread T that wrote one; fills *threads with their number, and
 * `what` with the first line that is missing. The changed program may have more: the library's memory.
 */
bool heddle__tune_contents_same(const char *before, const char *after, int *threads, char *what, size_t size);

#endif
