/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two copies of libheddle.so in one process: `heddle run` preloads a copy of a library that other users cannot read,
 * and a runtime loads the library by the path that the user names. Only the first one measures; it must not be loaded
 * twice to be found.
 */
#ifndef HEDDLE_CORE_FIRST_COPY_H
#define HEDDLE_CORE_FIRST_COPY_H

/*
 * The exported function `name` of the copy that measures, if this one is another; NULL: this one measures. What is
 * loaded into a scope of its own sees those of the program, not the reverse. Context: any thread, not a signal handler.
 */
void *heddle__first_copy(const char *name);

#endif
