/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Columns of numbers in front of names. Columns that do not fit beside the names are left out, and a line below the
 * table says so.
 */
#ifndef HEDDLE_CLI_COLUMNS_H
#define HEDDLE_CLI_COLUMNS_H

#include "cli/base/terminal.h"

#include <stddef.h>

#define HEDDLE_MIN_NOT_GIVEN (-1.0) /* in place of the percentage of option --min */
#define HEDDLE_MIN_USUAL 1.0
#define HEDDLE_SHORT_TABLE 10 /* rows */

/*
 * Returns the percentage below which rows of a table are hidden: that of option --min. Without the option it is
 * HEDDLE_MIN_USUAL, and 0 for a short table.
 */
double heddle__least_percent(double option, size_t rows);

struct heddle_column {
	const char *heading; /* right-aligned */
	int width;           /* 0: the table has no such column */
	unsigned rank;       /* 0: never left out; else the highest rank is left out first */
	bool left_out;
};

bool heddle__column_shown(const struct heddle_column *column);

/* Returns the width of all shown columns, with a blank between each two. */
size_t heddle__columns_width(const struct heddle_column *columns, size_t count);

/* Returns the width to reserve for names before numbers are left out: `wanted`, but at most half of the line. */
size_t heddle__names_least(const struct heddle_terminal *terminal, size_t wanted);

/* Leaves out columns until `names` columns are left of the line; all stay where stdout is not a terminal. */
void heddle__columns_fit(
	const struct heddle_terminal *terminal, struct heddle_column *columns, size_t count, size_t names);

/* Prints the headings, followed by `name`, in a line. */
void heddle__columns_print_heading(
	const struct heddle_terminal *terminal, const struct heddle_column *columns, size_t count, const char *name);

/* Prints a line with the columns that were left out, if any. */
void heddle__columns_print_omitted(
	const struct heddle_terminal *terminal, const struct heddle_column *columns, size_t count);

#endif
