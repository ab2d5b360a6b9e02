/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of threads by function, for pages without values of single threads by path. */
#ifndef HEDDLE_EXPORT_HTML_HEAT_H
#define HEDDLE_EXPORT_HTML_HEAT_H

#include "export/costs.h"

/* Writes one member of a JSON object, and a comma; `sums` are of export_costs_sums. Returns 0 or a negative error. */
int export_page_heat(
	const struct export_request *request, const struct profile_sites *sites, const uint64_t *sums, FILE *out);

#endif
