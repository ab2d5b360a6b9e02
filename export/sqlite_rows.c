/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SQLite's prepared statements behind a few calls without results: the first failure is kept, and stops all later work.
 */
#include "export/sqlite_rows.h"

#include "export/utf8_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void export_rows_note(struct export_rows *rows, int status)
{
	if (rows->status == SQLITE_OK && status != SQLITE_OK && status != SQLITE_DONE)
		rows->status = status;
}

void export_rows_run(struct export_rows *rows, const char *sql)
{
	if (rows->status == SQLITE_OK)
		export_rows_note(rows, sqlite3_exec(rows->database, sql, NULL, NULL, NULL));
}

void export_rows_begin(struct export_rows *rows, const char *table, int columns)
{
	char sql[128];
	int used = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES (?", table);
	for (int i = 1; i < columns; i++)
		used += snprintf(sql + used, sizeof(sql) - (size_t)used, ",?");
	snprintf(sql + used, sizeof(sql) - (size_t)used, ")");
	rows->column = 1;
	if (rows->status == SQLITE_OK)
		export_rows_note(rows, sqlite3_prepare_v2(rows->database, sql, -1, &rows->statement, NULL));
}

void export_rows_end(struct export_rows *rows)
{
	sqlite3_finalize(rows->statement);
	rows->statement = NULL;
}

void export_rows_put_null(struct export_rows *rows)
{
	if (rows->status == SQLITE_OK)
		export_rows_note(rows, sqlite3_bind_null(rows->statement, rows->column++));
}

/* SQLite's integers are signed. */
void export_rows_put_number(struct export_rows *rows, uint64_t number)
{
	int64_t value = number > INT64_MAX ? INT64_MAX : (int64_t)number;
	if (rows->status == SQLITE_OK)
		export_rows_note(rows, sqlite3_bind_int64(rows->statement, rows->column++, value));
}

void export_rows_put_number_or_null(struct export_rows *rows, bool known, uint64_t number)
{
	if (known)
		export_rows_put_number(rows, number);
	else
		export_rows_put_null(rows);
}

void export_rows_put_real(struct export_rows *rows, double number)
{
	if (rows->status == SQLITE_OK)
		export_rows_note(rows, sqlite3_bind_double(rows->statement, rows->column++, number));
}

void export_rows_put_real_or_null(struct export_rows *rows, bool known, double number)
{
	if (known)
		export_rows_put_real(rows, number);
	else
		export_rows_put_null(rows);
}

void export_rows_put_text(struct export_rows *rows, const char *text)
{
	char *copy = export_utf8_copy(text);
	if (!copy)
		export_rows_note(rows, SQLITE_NOMEM);
	else if (rows->status == SQLITE_OK)
		export_rows_note(rows, sqlite3_bind_text64(rows->statement, rows->column++, copy, strlen(copy),
					       SQLITE_TRANSIENT, SQLITE_UTF8));
	free(copy);
}

void export_rows_put_text_or_null(struct export_rows *rows, const char *text)
{
	if (*text)
		export_rows_put_text(rows, text);
	else
		export_rows_put_null(rows);
}

void export_rows_next(struct export_rows *rows)
{
	if (rows->status != SQLITE_OK)
		return;
	export_rows_note(rows, sqlite3_step(rows->statement));
	export_rows_note(rows, sqlite3_reset(rows->statement));
	rows->column = 1;
}
