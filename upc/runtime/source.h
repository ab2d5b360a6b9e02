/* SPDX-License-Identifier: BSD-3-Clause */
/* Where in the source an instruction is: for the last words of a program that was compiled with -g. */
#ifndef HEDDLE_UPC_RUNTIME_SOURCE_H
#define HEDDLE_UPC_RUNTIME_SOURCE_H

#include <stddef.h>

/*
 * "file:line: " of the innermost of these code addresses that is the user's, or "" when that isn't to be found out.
 * Runs addr2line and may take a moment. Context: a process that is about to end; a signal handler, too.
 */
void hupc__source_describe(char *text, size_t size, void *const *addresses, int count);

#endif
