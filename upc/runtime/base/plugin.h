/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that the run-time system loads when it needs them. Context of all functions: main. */
#ifndef HEDDLE_UPC_RUNTIME_PLUGIN_H
#define HEDDLE_UPC_RUNTIME_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Loads a library, from the folder of libheddle.so or else from where the dynamic linker searches, and finds a function
 * in it. Returns NULL on failure; `problem` is then one line that says what is missing and what to do.
 */
void *hupc__plugin_find(const char *library, const char *function, char *problem, size_t size);

/* Finds a function of any library in the process; NULL: none. */
void *hupc__plugin_symbol(const char *name);

/* Between true and false, threads that this thread creates are not the program's: tools must not count them. */
void hupc__plugin_unmeasured(bool begin);

#endif
