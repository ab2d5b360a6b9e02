/* SPDX-License-Identifier: BSD-3-Clause */
/* A grid of numbers between ranks. If it does not fit, neighbouring ranks share a row and a column. */
#ifndef HEDDLE_CLI_REPORT_RANK_GRID_H
#define HEDDLE_CLI_REPORT_RANK_GRID_H

#include "cli/base/terminal.h"

#include <stddef.h>
#include <stdint.h>

struct heddle_rank_grid {
	const char *down, *across; /* headings of rows and columns: "by", "memory of" */
	const char *rank;          /* before a rank's number: "UPC" */
	bool bytes;                /* numbers are bytes, not counts */
	uint32_t ranks, each;      /* in total, and in a group */
	size_t groups;
	uint64_t *values; /* by group of the row, then of the column */
};

/* Chooses the groups, and allocates the values. Texts and `ranks` are set by the caller. Returns 0 or -ENOMEM. */
int heddle__rank_grid_make(struct heddle_rank_grid *grid, const struct heddle_terminal *terminal);
void heddle__rank_grid_add(struct heddle_rank_grid *grid, uint32_t row, uint32_t column, uint64_t value);

/* Prints the grid and frees it. */
void heddle__rank_grid_print(struct heddle_rank_grid *grid, const struct heddle_terminal *terminal);

#endif
