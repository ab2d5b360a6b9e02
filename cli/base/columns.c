/* SPDX-License-Identifier: BSD-3-Clause */
/* Widths and headings of a table's numbers. The owner of the table prints the values. */
#include "cli/base/columns.h"

#include "cli/base/wrap.h"

#define GAP 2    /* between numbers and names */
#define LEAST 24 /* columns always left for names */

double heddle__least_percent(double option, size_t rows)
{
	if (option >= 0)
		return option;
	return rows <= HEDDLE_SHORT_TABLE ? 0 : HEDDLE_MIN_USUAL;
}

bool heddle__column_shown(const struct heddle_column *column)
{
	return column->width > 0 && !column->left_out;
}

size_t heddle__columns_width(const struct heddle_column *columns, size_t count)
{
	size_t width = 0;
	for (size_t i = 0; i < count; i++)
		if (heddle__column_shown(&columns[i]))
			width += (size_t)columns[i].width + (width > 0);
	return width;
}

size_t heddle__names_least(const struct heddle_terminal *terminal, size_t wanted)
{
	size_t half = terminal->width / 2 < LEAST ? LEAST : terminal->width / 2;
	return wanted < LEAST ? LEAST : wanted < half ? wanted : half;
}

void heddle__columns_fit(
	const struct heddle_terminal *terminal, struct heddle_column *columns, size_t count, size_t names)
{
	while (terminal->width && heddle__columns_width(columns, count) + GAP + names > terminal->width) {
		struct heddle_column *first = NULL;
		for (size_t i = 0; i < count; i++)
			if (heddle__column_shown(&columns[i]) && columns[i].rank > (first ? first->rank : 0))
				first = &columns[i];
		if (!first)
			return;
		first->left_out = true;
	}
}

void heddle__columns_print_heading(
	const struct heddle_terminal *terminal, const struct heddle_column *columns, size_t count, const char *name)
{
	const char *blank = "";
	heddle__style(terminal, HEDDLE_STYLE_DIM);
	for (size_t i = 0; i < count; i++) {
		if (!heddle__column_shown(&columns[i]))
			continue;
		printf("%s%*s", blank, columns[i].width, columns[i].heading);
		blank = " ";
	}
	printf("%*s%s\n", GAP, "", name);
	heddle__style(terminal, HEDDLE_STYLE_NORMAL);
}

void heddle__columns_print_omitted(
	const struct heddle_terminal *terminal, const struct heddle_column *columns, size_t count)
{
	struct heddle_capture capture;
	size_t printed = 0;
	heddle__capture_begin(&capture);
	for (size_t i = 0; i < count; i++)
		if (columns[i].left_out)
			printf("%s%s", printed++ ? ", " : "no room for ", columns[i].heading);
	if (printed)
		puts(": widen the terminal or use a pipe to see all");
	heddle__style(terminal, HEDDLE_STYLE_DIM);
	heddle__capture_end(&capture, (struct heddle_wrap){.width = terminal->width, .glue = ", "});
	heddle__style(terminal, HEDDLE_STYLE_NORMAL);
}
