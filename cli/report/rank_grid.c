/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "cli/report/rank_grid.h"

#include "analysis/text.h"

#include <errno.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The width of a line if the terminal's width is unknown. */
#define USUAL_WIDTH 80
#define CELL 9

/* Makes "UPC 3", or "8-11". */
static const char *name_group(char *text, size_t size, const struct heddle_rank_grid *grid, size_t group)
{
	uint32_t first = (uint32_t)group * grid->each, last = first + grid->each - 1;
	last = last < grid->ranks ? last : grid->ranks - 1;
	if (first == last)
		snprintf(text, size, "%s%s%" PRIu32, grid->rank, *grid->rank ? " " : "", first);
	else
		snprintf(text, size, "%" PRIu32 "-%" PRIu32, first, last);
	return text;
}

/* Formats a number in at most seven columns: "123,456", "12.3 M". */
static const char *format_cell(const struct heddle_rank_grid *grid, char *text, size_t size, uint64_t count)
{
	if (count == 0)
		snprintf(text, size, ".");
	else if (grid->bytes)
		heddle__format_bytes(text, size, count);
	else if (count < 1000000)
		heddle__format_count(text, size, count);
	else if (count < 1000000000)
		snprintf(text, size, "%.3g M", (double)count / 1e6);
	else
		snprintf(text, size, "%.3g G", (double)count / 1e9);
	return text;
}

static void print_row(const struct heddle_rank_grid *grid, const char *name, const uint64_t *counts)
{
	char text[32];
	uint64_t sum = 0;
	printf("%*s", CELL + 1, name);
	for (size_t i = 0; i < grid->groups; i++) {
		printf("%*s", CELL, format_cell(grid, text, sizeof(text), counts[i]));
		sum += counts[i];
	}
	printf("%*s\n", CELL, format_cell(grid, text, sizeof(text), sum));
}

static void print_rows(const struct heddle_rank_grid *grid, uint64_t *sums)
{
	char text[32];
	for (size_t i = 0; i < grid->groups; i++) {
		const uint64_t *counts = &grid->values[i * grid->groups];
		for (size_t k = 0; k < grid->groups; k++)
			sums[k] += counts[k];
		print_row(grid, name_group(text, sizeof(text), grid, i), counts);
	}
	print_row(grid, "all", sums);
}

static void print_heading(const struct heddle_terminal *terminal, const struct heddle_rank_grid *grid)
{
	char text[32];
	heddle__style(terminal, HEDDLE_STYLE_BOLD);
	printf("%*s", CELL + 1, grid->across);
	for (size_t i = 0; i < grid->groups; i++)
		printf("%*s", CELL, name_group(text, sizeof(text), grid, i));
	printf("%*s\n%*s\n", CELL, "all", CELL + 1, grid->down);
	heddle__style(terminal, HEDDLE_STYLE_NORMAL);
}

int heddle__rank_grid_make(struct heddle_rank_grid *grid, const struct heddle_terminal *terminal)
{
	size_t width = terminal->width ? terminal->width : USUAL_WIDTH, most = width / CELL > 3 ? width / CELL - 3 : 1;
	grid->each = (uint32_t)((grid->ranks + most - 1) / most);
	grid->each = grid->each ? grid->each : 1;
	grid->groups = (grid->ranks + grid->each - 1) / grid->each;
	grid->values = calloc((grid->groups + 1) * grid->groups + 1, sizeof(*grid->values));
	return grid->values ? 0 : -ENOMEM;
}

void heddle__rank_grid_add(struct heddle_rank_grid *grid, uint32_t row, uint32_t column, uint64_t value)
{
	if (row < grid->ranks && column < grid->ranks)
		grid->values[row / grid->each * grid->groups + column / grid->each] += value;
}

void heddle__rank_grid_print(struct heddle_rank_grid *grid, const struct heddle_terminal *terminal)
{
	print_heading(terminal, grid);
	print_rows(grid, &grid->values[grid->groups * grid->groups]);
	free(grid->values);
	grid->values = NULL;
}
