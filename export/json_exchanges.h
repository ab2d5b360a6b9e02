/* SPDX-License-Identifier: BSD-3-Clause */
/* The members `exchanges` and `files` of the JSON export. */
#ifndef HEDDLE_EXPORT_JSON_EXCHANGES_H
#define HEDDLE_EXPORT_JSON_EXCHANGES_H

#include "profile/file/measurement.h"

#include <stdio.h>

/* Write the member and a comma, or nothing. The second returns 0 or a negative error. */
void export_json_exchanges(FILE *out, const struct profile_measurement *measurement);
int export_json_files(FILE *out, const struct profile_measurement *measurement);

#endif
