/* SPDX-License-Identifier: BSD-3-Clause */
/* The source position of a call into the run-time system, and whether its events are reported. */
#ifndef HEDDLE_UPC_RUNTIME_SITE_H
#define HEDDLE_UPC_RUNTIME_SITE_H

#include <stdbool.h>
#include <stddef.h>

#include "upc/runtime/base/control.h"

struct hupc__site {
	const char *file; /* NULL: unknown */
	int line;
	bool events;
	uint8_t call, calls; /* for an allocation, as in struct upcrt_site */
};

/*
 * Takes the site that instrumented code set for this call (abi.h). Every function that compiled code calls takes it at
 * its entry, so that the next call does not use it. Context: any thread.
 */
struct hupc__site hupc__site_take_instrumented(void);

static inline struct hupc__site hupc__site_take(void)
{
	if (__builtin_expect(!!__upcrt_site.file, 0))
		return hupc__site_take_instrumented();
	return (struct hupc__site){.file = NULL};
}

/* For statements, which pass their position as arguments. */
struct hupc__site hupc__site_take_statement(const char *file, int line);

/*
 * Conversion to and from a form that is valid in all processes: a string has the same offset from the program's start
 * in each of them.
 */
struct hupc__shared_place hupc__place_share(const struct hupc__site *site);
struct hupc__site hupc__place_read(const struct hupc__shared_place *place);

#endif
