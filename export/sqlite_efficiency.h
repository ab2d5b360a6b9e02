/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of parallel efficiency and its factors in a SQLite database. */
#ifndef HEDDLE_EXPORT_SQLITE_EFFICIENCY_H
#define HEDDLE_EXPORT_SQLITE_EFFICIENCY_H

#include "export/formats.h"
#include "export/sqlite_rows.h"

/* Writes the tables; they stay empty for a merged measurement. Returns 0 or a negative error of the measurement. */
int export_sqlite_efficiency(struct export_rows *rows, const struct export_request *request);

#endif
