/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exports a measurement to the formats of other tools. A new format is a file export/NAME.c, which defines `const
 * struct export_format export_NAME`, and a line in the list below, from which the build and the command's help take it.
 */
#ifndef HEDDLE_EXPORT_FORMATS_H
#define HEDDLE_EXPORT_FORMATS_H

#include "profile/trace.h"
#include "profile/view.h"

#include <stdio.h>

struct export_request {
	const struct profile_measurement *measurement;
	const struct profile_view *view;
	enum heddle_metric metric;         /* one that has values; not of a trace */
	const struct profile_trace *trace; /* NULL: the format does not need it */
	const char *path;                  /* of the output; NULL: standard output */
	FILE *out;                         /* NULL: the format writes a directory, at `path` */
};

/* In the order in which help lists them. */
#define EXPORT_FORMATS(X) \
	X(folded)         \
	X(speedscope)     \
	X(otf2)           \
	X(chrome)

struct export_format {
	const char *name;    /* on the command line */
	const char *summary; /* one line, for help */
	const char *missing; /* what this build lacks for it, in words; NULL: nothing */
	bool needs_threads;  /* the measurement must have been opened with keep_threads */
	bool needs_trace;    /* the same; and request.trace is set */
	bool is_directory;   /* its output is one, which the format makes */
	/*
	 * Writes everything; 0, a negative error of the measurement, or the positive errno of writing. Need not check
	 * ferror(out): the caller does.
	 */
	int (*write)(const struct export_request *request);
};

#define X(name) extern const struct export_format export_##name;
EXPORT_FORMATS(X)
#undef X

/* All formats, NULL last. */
extern const struct export_format *const export_formats[];

/* Finds a format by name; NULL: there is none. */
const struct export_format *export_find(const char *name);

#endif
