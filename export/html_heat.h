/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads by functions, for pages without values of single threads by path. */
#ifndef HEDDLE_EXPORT_HTML_HEAT_H
#define HEDDLE_EXPORT_HTML_HEAT_H

#include "export/costs.h"

/* One member of a JSON object, and a comma; `sums` as export_costs_sums makes them. 0 or a negative error. */
int export_page_heat(
	const struct export_request *request, const struct profile_sites *sites, const uint64_t *sums, FILE *out);

#endif
