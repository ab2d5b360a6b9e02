/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages that end a program. */
#ifndef HEDDLE_UPC_RUNTIME_FATAL_H
#define HEDDLE_UPC_RUNTIME_FATAL_H

#include "upc/runtime/events/site.h"

/*
 * Ends the whole program with a line "upc: thread 2: file:line: ..."; only the first call prints it. Context: any
 * thread.
 */
_Noreturn void hupc__fatal_with_status(int status, const struct hupc__site *site, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
#define hupc__fatal(...) hupc__fatal_with_status(1, __VA_ARGS__)

/* As hupc__fatal, in a signal handler that interrupted the instruction `code`. */
_Noreturn void hupc__fatal_in_signal(void *code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
