/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of tables of a SQLite database, written value by value. After a failure, nothing more is written. */
#ifndef HEDDLE_EXPORT_SQLITE_ROWS_H
#define HEDDLE_EXPORT_SQLITE_ROWS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

struct export_rows {
	sqlite3 *database;
	sqlite3_stmt *statement; /* of the rows being written */
	int column;              /* of the next value */
	int status;              /* SQLite's first status that is not SQLITE_OK */
};

/* Records a status of SQLite. */
void export_rows_note(struct export_rows *rows, int status);

void export_rows_run(struct export_rows *rows, const char *sql);

/* Begins rows of a table, with that many columns, up to export_rows_end. */
void export_rows_begin(struct export_rows *rows, const char *table, int columns);
void export_rows_end(struct export_rows *rows);

/*
 * Write the next value of the row. Numbers above INT64_MAX become INT64_MAX, bytes that are not UTF-8 U+FFFD, and a
 * text of NULL becomes SQL's NULL.
 */
void export_rows_put_null(struct export_rows *rows);
void export_rows_put_number(struct export_rows *rows, uint64_t number);
void export_rows_put_number_or_null(struct export_rows *rows, bool known, uint64_t number);
void export_rows_put_real(struct export_rows *rows, double number);
void export_rows_put_real_or_null(struct export_rows *rows, bool known, double number);
void export_rows_put_text(struct export_rows *rows, const char *text);
void export_rows_put_text_or_null(struct export_rows *rows, const char *text);

/* Completes the row. */
void export_rows_next(struct export_rows *rows);

#endif
