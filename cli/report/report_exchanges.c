/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --messages` of programs whose ranks send messages: by pair of ranks and of nodes, by size, by
 * communicator; operations that were never completed; and the time of start and end.
 */
#include "analysis/exchange_table.h"
#include "analysis/text.h"
#include "cli/report/rank_grid.h"
#include "cli/report/report_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define HOSTS_NAMED 64
#define UNFINISHED_MOST 20

static void print_title(const struct heddle_terminal *terminal, const char *title)
{
	heddle__style(terminal, HEDDLE_STYLE_BOLD);
	printf("\n%s\n", title);
	heddle__style(terminal, HEDDLE_STYLE_NORMAL);
}

static void print_pairs(const struct heddle_terminal *terminal, const struct heddle_exchange_table *table)
{
	struct heddle_rank_grid grid = {
		.down = "from", .across = "to", .rank = table->rank, .bytes = true, .ranks = table->ranks};
	if (!table->pair_count || heddle__rank_grid_make(&grid, terminal) != 0)
		return;
	for (size_t i = 0; i < table->pair_count; i++)
		heddle__rank_grid_add(&grid, table->pairs[i].from, table->pairs[i].to, table->pairs[i].sum.bytes);
	print_title(terminal, "bytes from rank to rank, in messages and through windows");
	heddle__rank_grid_print(&grid, terminal);
}

/* Prints the grid of hosts, if there are several. */
static void print_hosts(const struct heddle_terminal *terminal, const struct heddle_exchange_table *table)
{
	struct heddle_rank_grid grid = {
		.down = "from", .across = "to", .rank = "host", .bytes = true, .ranks = table->hosts.count};
	if (!table->pair_count || table->hosts.count < 2 || heddle__rank_grid_make(&grid, terminal) != 0)
		return;
	for (size_t i = 0; i < table->pair_count; i++) {
		const struct heddle_exchange_pair *pair = &table->pairs[i];
		heddle__rank_grid_add(&grid, table->host_of[pair->from], table->host_of[pair->to], pair->sum.bytes);
	}
	print_title(terminal, "bytes from host to host");
	heddle__rank_grid_print(&grid, terminal);
	for (uint32_t i = 0; i < table->hosts.count && i < HOSTS_NAMED; i++) {
		printf("  host %" PRIu32 ": ", i);
		heddle__print_safely(stdout, *table->hosts.texts[i] ? table->hosts.texts[i] : "(unknown)");
		putchar('\n');
	}
}

static void print_sum(const struct heddle_exchange_sum *sum)
{
	char text[32];
	printf(" %10s", sum->messages ? heddle__format_count(text, sizeof(text), sum->messages) : "-");
	printf(" %9s", sum->messages ? heddle__format_bytes(text, sizeof(text), sum->bytes) : "-");
	printf(" %9s", sum->messages ? heddle__format_time(text, sizeof(text), sum->time_ns) : "-");
}

static void print_heading(const struct heddle_terminal *terminal, const char *name)
{
	heddle__style(terminal, HEDDLE_STYLE_BOLD);
	printf(" %10s %9s %9s %10s %9s %9s  %s\n", "messages", "bytes", "time", "collective", "bytes", "time", name);
	heddle__style(terminal, HEDDLE_STYLE_NORMAL);
}

static void print_sizes(const struct heddle_terminal *terminal, const struct heddle_exchange_table *table)
{
	char text[32];
	putchar('\n');
	print_heading(terminal, "of a size below");
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

static void print_communicators(const struct heddle_terminal *terminal, const struct heddle_exchange_table *table)
{
	putchar('\n');
	print_heading(terminal, "communicator");
	for (size_t i = 0; i < table->communicator_count; i++) {
		const struct heddle_exchange_communicator *row = &table->communicators[i];
		print_sum(&row->sent);
		print_sum(&row->collective);
		printf("  %s\n", *row->name ? row->name : "(not known)");
	}
}

static void print_partner(const struct heddle_exchange_table *table, uint32_t partner)
{
	if (partner == HEDDLE_NO_PARTNER)
		fputs("any", stdout);
	else
		printf("%s %" PRIu32, table->rank, partner);
}

static void print_unfinished(const struct heddle_terminal *terminal, const struct heddle_exchange_table *table)
{
	uint64_t count = 0;
	char title[128], text[32];
	for (size_t i = 0; i < table->unfinished_count; i++)
		count += table->unfinished[i].count;
	if (!count)
		return;
	snprintf(title, sizeof(title), "%s operation%s never completed",
		heddle__format_count(text, sizeof(text), count), count == 1 ? " was" : "s were");
	print_title(terminal, title);
	for (size_t i = 0; i < table->unfinished_count && i < UNFINISHED_MOST; i++) {
		const struct heddle_exchange_unfinished *row = &table->unfinished[i];
		printf(" %10s  ", heddle__format_count(text, sizeof(text), row->count));
		print_partner(table, row->rank);
		fputs(" with ", stdout);
		if (heddle__exchange_unfinished_with(row))
			fputs(heddle__exchange_unfinished_with(row), stdout);
		else
			print_partner(table, row->partner);
		printf(", %s\n", *row->communicator ? row->communicator : "(not known)");
	}
	if (table->unfinished_count > UNFINISHED_MOST)
		printf("  and of %zu others\n", table->unfinished_count - UNFINISHED_MOST);
}

/* Prints calls before and after all communication: by place, the time of all ranks, and the longest of one rank. */
static void print_setup(const struct heddle_report *report)
{
	const struct profile_call_tree *tree = &report->session->measurement.tree;
	const struct profile_view *view = &report->session->view;
	char text[32];
	bool titled = false;
	for (size_t i = 0; i < tree->node_count; i++) {
		const struct profile_node *node = &tree->nodes[i];
		uint64_t time = tree->values[HEDDLE_METRIC_WALL_TIME] ? tree->values[HEDDLE_METRIC_WALL_TIME][i] : 0;
		if (node->kind != HEDDLE_NODE_REGION || tree->events[node->event].role != HEDDLE_EVENT_SETUP || !time)
			continue;
		if (!titled)
			print_title(&report->terminal, "begin and end, of all ranks together");
		titled = true;
		printf(" %10s  ", heddle__format_time(text, sizeof(text), time));
		heddle__print_label(&report->terminal, &view->labels[view->label_of[view->of_node[i]]], 13);
		putchar('\n');
	}
}

int heddle__report_exchanges(const struct heddle_report *report)
{
	struct heddle_exchange_table table;
	int error = heddle__exchange_table_make(&table, &report->session->measurement);
	if (error)
		return error;
	if (table.communicator_count) {
		print_pairs(&report->terminal, &table);
		print_hosts(&report->terminal, &table);
		print_sizes(&report->terminal, &table);
		print_communicators(&report->terminal, &table);
		print_unfinished(&report->terminal, &table);
		print_setup(report);
	}
	heddle__exchange_table_free(&table);
	return 0;
}
