/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exports a measurement to the formats of other tools. A new format is a file export/NAME.c, which defines `const
 * struct export_format export_NAME`, and a line in the list below, from which the build and the command's help take it.
 */
#ifndef HEDDLE_EXPORT_FORMATS_H
#define HEDDLE_EXPORT_FORMATS_H

#include "profile/trace/trace.h"
#include "profile/view/view.h"

#include <stdio.h>

struct export_request {
	const struct profile_measurement *measurement;
	const struct profile_view *view;
	const struct profile_naming *naming;     /* that the view was made of */
	const char *version;                     /* Heddle's version */
	enum heddle_metric metric;               /* has values; unused if a trace is exported */
	const enum heddle_metric *metrics;       /* several_metrics: those to write, the most important one first */
	size_t metric_count;                     /* at least 1 */
	const struct profile_trace *trace;       /* NULL: the format needs none, or there is none */
	const char *path;                        /* of the output; NULL: standard output */
	FILE *out;                               /* NULL: the format writes to `path` itself */
	const struct profile_progress *progress; /* or NULL */
};

/* In the order in which help lists them. */
#define EXPORT_FORMATS(X) \
	X(folded)         \
	X(speedscope)     \
	X(pprof)          \
	X(json)           \
	X(callgrind)      \
	X(sqlite)         \
	X(hatchet)        \
	X(otf2)           \
	X(chrome)

enum export_output {
	EXPORT_STREAM,    /* request.out */
	EXPORT_FILE,      /* the format makes it, at request.path; so it must have a name */
	EXPORT_DIRECTORY, /* likewise, as a directory */
};

struct export_format {
	const char *name;     /* on the command line */
	const char *summary;  /* one line, for help */
	const char *next;     /* what to do with the file: a line that is printed after writing it */
	const char *missing;  /* what this build lacks for the format, in words; NULL: nothing */
	bool needs_threads;   /* the measurement must have been opened with keep_threads, and not be merged */
	bool uses_threads;    /* likewise, but a merged measurement is accepted */
	bool needs_trace;     /* as needs_threads; and request.trace is set */
	bool uses_trace;      /* as uses_threads; request.trace is set if there is a trace that can be read */
	bool several_metrics; /* all metrics with values are written, unless some are requested */
	enum export_output output;
	/*
	 * Writes everything. Returns 0, a negative error of the measurement, or the positive errno of writing. Need not
	 * check ferror(out): the caller does.
	 */
	int (*write)(const struct export_request *request);
};

#define X(name) extern const struct export_format export_##name;
EXPORT_FORMATS(X)
#undef X

/* All formats, NULL last. */
extern const struct export_format *const export_formats[];

/* Returns the format with that name; NULL: there is none. */
const struct export_format *export_find(const char *name);

#endif
