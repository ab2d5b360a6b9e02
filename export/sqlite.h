/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables and views of `heddle export --format sqlite`, as SQL. */
#ifndef HEDDLE_EXPORT_SQLITE_H
#define HEDDLE_EXPORT_SQLITE_H

/* Version of the names that users' queries refer to: raised when a query may have to change. */
#define EXPORT_SQLITE_VERSION 1

extern const char export_sqlite_tables[];
extern const char export_sqlite_indices[]; /* created when all rows are there */
extern const char export_sqlite_views[];

#endif
