/* SPDX-License-Identifier: BSD-3-Clause */
/* What all pages have: head, sentences, the data, the script. In the order in which they are written. */
#ifndef HEDDLE_EXPORT_HTML_PARTS_H
#define HEDDLE_EXPORT_HTML_PARTS_H

#include "export/html.h"

/* Rows of the table that is there without a script. */
#define EXPORT_PAGE_ROWS 60

/* Text from programs: nothing in it is markup. */
void export_page_text(FILE *out, const char *text);

/* Up to the page's title, which the caller writes; then up to what is there without a script. */
void export_page_begin(FILE *out);
void export_page_body(FILE *out);

/* `"metrics":[{"name":...,"unit":...,"meaning":...},...],` of the page's data. */
void export_page_metrics(FILE *out, const enum heddle_metric *metrics, size_t count);

void export_page_findings(FILE *out, const struct heddle_findings *findings);

/* The rest, with the data that `write` writes (0 or a negative error, which is returned). */
int export_page_end(FILE *out, int (*write)(const void *context, FILE *out), const void *context);

#endif
