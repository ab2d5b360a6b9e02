/* SPDX-License-Identifier: BSD-3-Clause */
/* One HTML file that shows changes between measurements: `heddle diff` for a browser. */
#ifndef HEDDLE_EXPORT_HTML_DIFF_H
#define HEDDLE_EXPORT_HTML_DIFF_H

#include "export/html.h"

struct export_diff {
	FILE *out;
	const char *version; /* of Heddle */
	/* The measurements and their names, those before first; at least one of each group. */
	const struct profile_view *const *views;
	const char *const *names;
	size_t count, before_count;
	const enum heddle_metric *metrics; /* the most important first; at least one */
	size_t metric_count;
	const struct heddle_findings *findings; /* their nodes are paths of a comparison of the views */
};

/* Writes the page. Returns 0 or -ENOMEM; the caller checks ferror(). */
int export_diff_write(const struct export_diff *page);

#endif
