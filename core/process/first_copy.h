/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two copies of libheddle.so may be in one process: `heddle run` preloads a copy of a library that other users cannot
 * read, and a runtime loads the library by the path that the user names. Only the first copy measures. Finding it must
 * not load it again.
 */
#ifndef HEDDLE_CORE_FIRST_COPY_H
#define HEDDLE_CORE_FIRST_COPY_H

/*
 * Returns the exported function `name` of the copy that measures, or NULL if this copy measures. A library that was
 * loaded into a scope of its own finds the program's symbols, not the reverse. Context: any thread, not a signal
 * handler.
 */
void *heddle__first_copy(const char *name);

#endif
