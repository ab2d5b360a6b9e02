/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data for single views of a page, besides values by path; html/src/stored.ts describes the members. Each function
 * writes one member of a JSON object, `"name":value`, and returns 0 or a negative error.
 */
#ifndef HEDDLE_EXPORT_HTML_VIEWS_H
#define HEDDLE_EXPORT_HTML_VIEWS_H

#include "export/html.h"

/* What was measured, by process, and what could not be read or named. */
int export_page_about(const struct export_page *page, FILE *out);

/* The models of regions, by label. */
int export_page_regions(const struct export_page *page, FILE *out);

/* Sizes of accesses to shared memory, by path. */
int export_page_sizes(const struct export_page *page, FILE *out);

/* Accesses by pair of threads and variable; if there are many pairs, by EXPORT_PAGE_BINS groups of threads. */
#define EXPORT_PAGE_BINS 64
int export_page_pairs(const struct export_page *page, FILE *out);

/* What ranks exchanged, by communicator and size, and what was never completed; null if nothing was exchanged. */
int export_page_exchanges(const struct export_page *page, FILE *out);

/* What each thread mostly did, by pieces of time; null without a trace. */
int export_page_timeline(const struct export_page *page, FILE *out);

/*
 * Who waited for whom, and the critical path; null without a trace, or if no thread waited for another one. Events must
 * be read in the order of time, which takes seconds for more records than this: then "unread" is their number, else 0.
 */
#define EXPORT_PAGE_WAIT_RECORDS (1u << 25)
#define EXPORT_PAGE_WAITS 512       /* rows */
#define EXPORT_PAGE_WAIT_CAUSES 16u /* of a row */
int export_page_waits(const struct export_page *page, FILE *out);

/* The factors of parallel efficiency, of the run, its phases and regions; null if they are unknown. */
int export_page_efficiency(const struct export_page *page, FILE *out);

/* All the members above, as one member `"more"`. */
int export_page_more(const struct export_page *page, FILE *out);

#endif
