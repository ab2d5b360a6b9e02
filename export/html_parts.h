/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts that all pages have, in the order in which they are written: head, sentences, data, script. */
#ifndef HEDDLE_EXPORT_HTML_PARTS_H
#define HEDDLE_EXPORT_HTML_PARTS_H

#include "export/html.h"

/* Rows of the table that is shown without a script. */
#define EXPORT_PAGE_ROWS 60

/* Writes text of a program so that nothing in it is markup. */
void export_page_text(FILE *out, const char *text);

/* Write the page up to its title, which the caller writes; then up to what is shown without a script. */
void export_page_begin(FILE *out);
void export_page_body(FILE *out);

/* Writes `"metrics":[{"name":...,"unit":...,"meaning":...},...],` of the page's data. */
void export_page_metrics(FILE *out, const enum heddle_metric *metrics, size_t count);

void export_page_findings(FILE *out, const struct heddle_findings *findings);

/* Writes the rest, with the data that `write` writes. Returns the result of `write`: 0 or a negative error. */
int export_page_end(FILE *out, int (*write)(const void *context, FILE *out), const void *context);

#endif
