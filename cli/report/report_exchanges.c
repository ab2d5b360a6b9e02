/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --messages` of programs whose ranks send messages: by pair of ranks, by size, by communicator. */
#include "analysis/exchange_table.h"
#include "analysis/text.h"
#include "cli/report/rank_grid.h"
#include "cli/report/report_parts.h"

#include <errno.h>
#include <stdio.h>

static void print_title(const struct heddle_look *look, const char *title)
{
	heddle__style(look, HEDDLE_STYLE_BOLD);
	printf("\n%s\n", title);
	heddle__style(look, HEDDLE_STYLE_NORMAL);
}

static void print_pairs(const struct heddle_look *look, const struct heddle_exchange_table *table)
{
	struct heddle_rank_grid grid = {
		.down = "from", .across = "to", .rank = table->rank, .bytes = true, .ranks = table->ranks};
	if (!table->pair_count || heddle__rank_grid_make(&grid, look) != 0)
		return;
	for (size_t i = 0; i < table->pair_count; i++)
		heddle__rank_grid_add(&grid, table->pairs[i].from, table->pairs[i].to, table->pairs[i].sum.bytes);
	print_title(look, "bytes from rank to rank, in messages and by windows");
	heddle__rank_grid_print(&grid, look);
}

static void print_sum(const struct heddle_exchange_sum *sum)
{
	char text[32];
	printf(" %10s", sum->messages ? heddle__format_count(text, sizeof(text), sum->messages) : "-");
	printf(" %9s", sum->messages ? heddle__format_bytes(text, sizeof(text), sum->bytes) : "-");
	printf(" %9s", sum->messages ? heddle__format_time(text, sizeof(text), sum->time_ns) : "-");
}

static void print_heading(const struct heddle_look *look, const char *name)
{
	heddle__style(look, HEDDLE_STYLE_BOLD);
	printf(" %10s %9s %9s %10s %9s %9s  %s\n", "messages", "bytes", "time", "collective", "bytes", "time", name);
	heddle__style(look, HEDDLE_STYLE_NORMAL);
}

static void print_sizes(const struct heddle_look *look, const struct heddle_exchange_table *table)
{
	char text[32];
	putchar('\n');
	print_heading(look, "of a size below");
	for (unsigned int b = 0; b < HEDDLE_SIZE_BUCKETS; b++) {
		if (!table->sent[b].messages && !table->collective[b].messages)
			continue;
		print_sum(&table->sent[b]);
		print_sum(&table->collective[b]);
		if (b + 1 == HEDDLE_SIZE_BUCKETS)
			puts("  any");
		else
			printf("  %s\n", heddle__format_bytes(text, sizeof(text), (uint64_t)1 << b));
	}
}

static void print_communicators(const struct heddle_look *look, const struct heddle_exchange_table *table)
{
	putchar('\n');
	print_heading(look, "communicator");
	for (size_t i = 0; i < table->communicator_count; i++) {
		const struct heddle_exchange_communicator *row = &table->communicators[i];
		print_sum(&row->sent);
		print_sum(&row->collective);
		printf("  %s\n", *row->name ? row->name : "(not known)");
	}
}

int heddle__report_exchanges(const struct heddle_report *report)
{
	struct heddle_exchange_table table;
	int error = heddle__exchange_table_make(&table, &report->session->measurement);
	if (error)
		return error;
	if (table.communicator_count) {
		print_pairs(&report->look, &table);
		print_sizes(&report->look, &table);
		print_communicators(&report->look, &table);
	}
	heddle__exchange_table_free(&table);
	return 0;
}
