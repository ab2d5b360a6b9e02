/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --accesses --by pair`: a grid of accessing threads and of threads whose memory it is. */
#include "analysis/access_table.h"
#include "cli/report/report_accesses.h"
#include "profile/view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a line where the width is not known. */
#define USUAL_WIDTH 80
#define CELL 9

/* Neighbouring threads share a row and a column if all would not fit. */
struct grid {
	uint32_t threads, each; /* threads in all, and of a group */
	size_t groups;
	uint64_t *counts; /* by group of the accessing thread, then of the owner */
};

static void fill(struct grid *grid, const struct profile_accesses *accesses)
{
	for (size_t i = 0; i < accesses->pair_count; i++) {
		const struct profile_pair *pair = &accesses->pairs[i];
		if (pair->thread == HEDDLE_NO_RANK || pair->owner == HEDDLE_NO_RANK)
			continue;
		grid->counts[pair->thread / grid->each * grid->groups + pair->owner / grid->each] +=
			pair->gets + pair->puts;
	}
}

/* "UPC 3", or "UPC 8-11". */
static const char *name_group(char *text, size_t size, const struct grid *grid, size_t group)
{
	uint32_t first = (uint32_t)group * grid->each, last = first + grid->each - 1;
	last = last < grid->threads ? last : grid->threads - 1;
	if (first == last)
		snprintf(text, size, "UPC %" PRIu32, first);
	else
		snprintf(text, size, "%" PRIu32 "-%" PRIu32, first, last);
	return text;
}

/* At most seven places: "123,456", "12.3 M". */
static const char *format_cell(char *text, size_t size, uint64_t count)
{
	if (count == 0)
		snprintf(text, size, ".");
	else if (count < 1000000)
		heddle__format_count(text, size, count);
	else if (count < 1000000000)
		snprintf(text, size, "%.3g M", (double)count / 1e6);
	else
		snprintf(text, size, "%.3g G", (double)count / 1e9);
	return text;
}

static void print_row(const struct grid *grid, const char *name, const uint64_t *counts)
{
	char text[32];
	uint64_t sum = 0;
	printf("%*s", CELL + 1, name);
	for (size_t i = 0; i < grid->groups; i++) {
		printf("%*s", CELL, format_cell(text, sizeof(text), counts[i]));
		sum += counts[i];
	}
	printf("%*s\n", CELL, format_cell(text, sizeof(text), sum));
}

static void print_rows(const struct grid *grid, uint64_t *sums)
{
	char text[32];
	for (size_t i = 0; i < grid->groups; i++) {
		const uint64_t *counts = &grid->counts[i * grid->groups];
		for (size_t k = 0; k < grid->groups; k++)
			sums[k] += counts[k];
		print_row(grid, name_group(text, sizeof(text), grid, i), counts);
	}
	print_row(grid, "all", sums);
}

static void print_heading(const struct heddle_look *look, const struct grid *grid)
{
	char text[32];
	heddle__style(look, HEDDLE_STYLE_BOLD);
	printf("%*s", CELL + 1, "memory of");
	for (size_t i = 0; i < grid->groups; i++)
		printf("%*s", CELL, name_group(text, sizeof(text), grid, i));
	printf("%*s\n%*s\n", CELL, "all", CELL + 1, "by");
	heddle__style(look, HEDDLE_STYLE_NORMAL);
}

void heddle__report_pairs(const struct heddle_look *look, const struct profile_accesses *accesses)
{
	struct grid grid = {.threads = heddle__accesses_ranks(accesses)};
	size_t width = look->width ? look->width : USUAL_WIDTH, most = width / CELL > 3 ? width / CELL - 3 : 1;
	if (grid.threads < 2)
		return;
	grid.each = (uint32_t)((grid.threads + most - 1) / most);
	grid.groups = (grid.threads + grid.each - 1) / grid.each;
	grid.counts = calloc((grid.groups + 1) * grid.groups, sizeof(*grid.counts));
	if (!grid.counts)
		return;
	fill(&grid, accesses);
	print_heading(look, &grid);
	print_rows(&grid, &grid.counts[grid.groups * grid.groups]);
	putchar('\n');
	free(grid.counts);
}
