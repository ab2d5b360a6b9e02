/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of a page as JSON, with the members described in html/src/stored.ts. */
#ifndef HEDDLE_EXPORT_HTML_DATA_H
#define HEDDLE_EXPORT_HTML_DATA_H

#include "export/html.h"

/* Returns 0 or a negative error. */
int export_page_data(const struct export_page *page, FILE *out);

#endif
