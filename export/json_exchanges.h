/* SPDX-License-Identifier: BSD-3-Clause */
/* The member `exchanges` of the JSON export. */
#ifndef HEDDLE_EXPORT_JSON_EXCHANGES_H
#define HEDDLE_EXPORT_JSON_EXCHANGES_H

#include "profile/file/measurement.h"

#include <stdio.h>

/* Writes the member and a comma, or nothing. */
void export_json_exchanges(FILE *out, const struct profile_measurement *measurement);

#endif
