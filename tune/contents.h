/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The final contents of a program's shared memory, for `heddle tune --check`: sources that are compiled with the
 * program, and the comparison of their output.
 */
#ifndef HEDDLE_TUNE_CONTENTS_H
#define HEDDLE_TUNE_CONTENTS_H

#include "tune/syntax.h"

/*
 * UPC source with the program's real main. Linked with a wrapper, it makes each thread write PATH.THREAD when the
 * program's main has returned: a line with a hash for each shared variable and block.
 */
extern const char heddle__tune_contents_source[];
/* The macros with which the program itself is compiled, to redirect its main and its allocations; ended by NULL. */
extern const char *const heddle__tune_contents_macros[];

/*
 * Returns source that includes `path` and hashes the shared variables that `file` declares; to be compiled with
 * -DHEDDLE_CONTENTS="PATH".
 */
const char *heddle__tune_contents_wrapper(const struct tune_file *file, const char *path);

/*
 * Returns true if AFTER.T has all lines of BEFORE.T, for each thread T that wrote one. Sets *threads to the number of
 * threads, and `what` to the first missing line. The changed program may have more lines, for memory of the library.
 */
bool heddle__tune_contents_same(const char *before, const char *after, int *threads, char *what, size_t size);

#endif
