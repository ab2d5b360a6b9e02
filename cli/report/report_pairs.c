/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --accesses --by pair`: a grid of accessing threads and owners of the accessed memory. */
#include "analysis/access_table.h"
#include "cli/report/rank_grid.h"
#include "cli/report/report_accesses.h"

#include <stdio.h>

void heddle__report_pairs(const struct heddle_terminal *terminal, const struct profile_accesses *accesses)
{
	struct heddle_rank_grid grid = {
		.down = "by", .across = "memory of", .rank = accesses->rank, .ranks = heddle__accesses_ranks(accesses)};
	if (grid.ranks < 2 || heddle__rank_grid_make(&grid, terminal) != 0)
		return;
	for (size_t i = 0; i < accesses->pair_count; i++) {
		const struct profile_pair *pair = &accesses->pairs[i];
		if (pair->thread != HEDDLE_NO_RANK && pair->owner != HEDDLE_NO_RANK)
			heddle__rank_grid_add(&grid, pair->thread, pair->owner, pair->gets + pair->puts);
	}
	heddle__rank_grid_print(&grid, terminal);
	putchar('\n');
}
