/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing a measurement in other tools' formats: one file and one line of the table a format. */
#ifndef HEDDLE_EXPORT_FORMATS_H
#define HEDDLE_EXPORT_FORMATS_H

#include "profile/view.h"

#include <stdio.h>

struct heddle_export_request {
	const struct heddle_measurement *measurement;
	const struct heddle_view *view;
	enum heddle_metric metric; /* one that has values */
	FILE *out;
};

struct heddle_export_format {
	const char *name; /* on the command line */
	const char *summary;
	bool needs_threads; /* the measurement must have been opened with keep_threads */
	/* Writes everything; 0 or a negative error. Need not look at ferror(out): the caller does. */
	int (*write)(const struct heddle_export_request *request);
};

extern const struct heddle_export_format heddle_export_folded;
extern const struct heddle_export_format heddle_export_speedscope;

/* All formats, NULL last. */
extern const struct heddle_export_format *const heddle_export_formats[];

/* NULL: there is none of that name. */
const struct heddle_export_format *heddle_export_find(const char *name);

#endif
