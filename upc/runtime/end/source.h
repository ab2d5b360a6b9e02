/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the source position of an instruction, for the last message of a program that was compiled with -g. */
#ifndef HEDDLE_UPC_RUNTIME_SOURCE_H
#define HEDDLE_UPC_RUNTIME_SOURCE_H

#include <stddef.h>

/*
 * Writes "file:line: " of the innermost code address that is the user's, "near file:line: " if the optimizer has left
 * that address without a line, "in function: " without debug information, or "" if no address is the user's. Runs
 * addr2line and may take some time. Context: the one thread that ends a process, also in a signal handler.
 */
void hupc__source_describe(char *text, size_t size, void *const *addresses, int count);

#endif
