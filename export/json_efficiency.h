/* SPDX-License-Identifier: BSD-3-Clause */
/* The efficiency of a run in the JSON export. */
#ifndef HEDDLE_EXPORT_JSON_EFFICIENCY_H
#define HEDDLE_EXPORT_JSON_EFFICIENCY_H

#include "export/formats.h"

/* Writes the member `efficiency` and a comma, or nothing if it is unknown. Returns 0 or a negative error. */
int export_json_efficiency(FILE *out, const struct export_request *request);

#endif
