/* SPDX-License-Identifier: BSD-3-Clause */
/* Where in the source a function of the run-time system was called from, and whether tools are to be told. */
#ifndef HEDDLE_UPC_RUNTIME_SITE_H
#define HEDDLE_UPC_RUNTIME_SITE_H

#include <stdbool.h>
#include <stddef.h>

#include "upc/runtime/control.h"

struct hupc__site {
	const char *file; /* NULL: unknown */
	int line;
	bool events;
};

/*
 * What compiled code said about the call that is running (abi.h). Taken at the entry of each function that it calls, so
 * that nothing is left for the next one. Context: any thread.
 */
struct hupc__site hupc__site_take_told(void);

static inline struct hupc__site hupc__site_take(void)
{
	if (__builtin_expect(__upcrt_site.file != NULL, 0))
		return hupc__site_take_told();
	return (struct hupc__site){NULL, 0, false};
}

/* Statements are told their place as arguments. */
struct hupc__site hupc__site_take_statement(const char *file, int line);

/* For other processes of this program to read: texts stand at the same distance from its start. */
struct hupc__shared_place hupc__place_share(const struct hupc__site *site);
struct hupc__site hupc__place_read(const struct hupc__shared_place *place);

/*
 * End the whole program with a line "upc: thread 2: file:line: ..."; only the first that has something to say does.
 * Context: any thread.
 */
_Noreturn void hupc__fatal_with_status(int status, const struct hupc__site *site, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
#define hupc__fatal(...) hupc__fatal_with_status(1, __VA_ARGS__)

/* The same, from a signal handler that interrupted this instruction. */
_Noreturn void hupc__fatal_in_signal(void *code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
