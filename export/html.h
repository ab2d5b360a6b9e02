/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One HTML file that shows a measurement in a browser: tables that need no script, the data, and the page's script
 * (html/), which draws the views.
 */
#ifndef HEDDLE_EXPORT_HTML_H
#define HEDDLE_EXPORT_HTML_H

#include "analysis/findings.h"
#include "export/formats.h"

struct export_page {
	const struct export_request *request; /* with several metrics: those that have values */
	const struct heddle_findings *findings;
	bool sources; /* embed the source files that may be read (profile/view/source_text.h) */
	void (*report_source)(void *context, const char *path, bool embedded); /* or NULL; for each that exists */
	void *report_context;
	bool part;               /* of the run: values that are known only for the whole run are left out */
	uint64_t from_ns, to_ns; /* part of request->trace for the timeline, if there is a trace */
};

/* Returns what this build lacks for pages, in words; NULL: nothing. */
const char *export_page_missing(void);

/* Writes the page to request->out. Returns 0 or a negative error of the measurement; the caller checks ferror(). */
int export_page_write(const struct export_page *page);

#endif
