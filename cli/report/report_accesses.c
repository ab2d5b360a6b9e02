/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --accesses`: accesses to shared memory by variable, source line, thread or pair of threads. */
#include "cli/report/report_accesses.h"

#include "analysis/access_table.h"
#include "cli/base/exit_status.h"
#include "cli/base/wrap.h"
#include "profile/base/base_name.h"
#include "profile/base/errors.h"
#include "profile/view/view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	unsigned keys;
} ways[] = {
	{"variable", HEDDLE_ACCESS_VARIABLE},
	{"line", HEDDLE_ACCESS_LINE},
	{"variable,line", HEDDLE_ACCESS_VARIABLE | HEDDLE_ACCESS_LINE},
	{"pair", HEDDLE_ACCESS_THREAD | HEDDLE_ACCESS_OWNER},
	{"thread", HEDDLE_ACCESS_THREAD},
	{"thread,variable", HEDDLE_ACCESS_THREAD | HEDDLE_ACCESS_VARIABLE},
	{"pair,variable", HEDDLE_ACCESS_THREAD | HEDDLE_ACCESS_OWNER | HEDDLE_ACCESS_VARIABLE},
};
#define WAYS (sizeof(ways) / sizeof(*ways))

enum {
	COLUMN_COUNT,
	COLUMN_SAME_NODE,
	COLUMN_REMOTE,
	COLUMN_MOVED,
	COLUMN_TIME,
	COLUMN_FLIGHT,
	COLUMN_SHARE,
	COLUMN_ELAPSED,
	COLUMNS
};

struct table {
	const struct heddle_report *report;
	unsigned keys;
	const char *rank, *ranks; /* the model's words for a rank and for ranks */
	struct heddle_access_table sums;
	struct heddle_column columns[COLUMNS];
};

static unsigned keys_of(const char *by)
{
	for (size_t i = 0; by && i < WAYS; i++)
		if (strcmp(ways[i].name, by) == 0)
			return ways[i].keys;
	return 0;
}

/* Without an option, the keys are variables if the model has them, else lines. */
static unsigned chosen_keys(const char *by, const struct profile_accesses *accesses)
{
	bool lines = accesses->pair_count && !profile_accesses_name_variables(accesses);
	return by ? keys_of(by) : lines ? HEDDLE_ACCESS_LINE : HEDDLE_ACCESS_VARIABLE;
}

/* Returns the number of a thread as typed; HEDDLE_NO_RANK: not a number. */
static uint32_t rank_of(const char *text)
{
	char *end;
	unsigned long rank = strtoul(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && rank < HEDDLE_NO_RANK ? (uint32_t)rank : HEDDLE_NO_RANK;
}

int heddle__accesses_check(const struct heddle_access_options *options, bool part)
{
	if (part && keys_of(options->by) & HEDDLE_ACCESS_THREAD) {
		fprintf(stderr,
			"heddle: report: --by %s: accesses of single threads and pairs are known only for the whole "
			"run: leave out --from, --to and --phase\n",
			options->by);
		return HEDDLE_EXIT_USAGE;
	}
	if (options->thread && rank_of(options->thread) == HEDDLE_NO_RANK) {
		fprintf(stderr, "heddle: report: --thread: '%s' is not the number of a rank\n", options->thread);
		return HEDDLE_EXIT_USAGE;
	}
	if (!options->by || keys_of(options->by))
		return 0;
	fprintf(stderr, "heddle: report: --by: '%s' is unknown: choose one of ", options->by);
	for (size_t i = 0; i < WAYS; i++)
		fprintf(stderr, "%s%s", i ? ", " : "", ways[i].name);
	fputs("\n", stderr);
	return HEDDLE_EXIT_USAGE;
}

/* ---- printing ---- */

static void make_columns(struct table *table)
{
	static const struct heddle_column all[COLUMNS] = {
		[COLUMN_COUNT] = {"accesses", 10, 0, false},
		[COLUMN_SAME_NODE] = {"same-node %", 11, 1, false},
		[COLUMN_REMOTE] = {"remote %", 8, 0, false},
		[COLUMN_MOVED] = {"moved", 9, 3, false},
		[COLUMN_TIME] = {"time", 8, 0, false},
		[COLUMN_FLIGHT] = {"in flight", 9, 2, false},
		[COLUMN_SHARE] = {"share %", 7, 0, false},
		[COLUMN_ELAPSED] = {"elapsed %", 9, 0, false},
	};
	const struct heddle_terminal *terminal = &table->report->terminal;
	memcpy(table->columns, all, sizeof(all));
	if (!table->sums.total.count[HEDDLE_SIDE_SAME_NODE])
		table->columns[COLUMN_SAME_NODE].width = 0;
	if (!table->sums.total.flight_ns)
		table->columns[COLUMN_FLIGHT].width = 0;
	table->columns[table->keys & HEDDLE_ACCESS_THREAD ? COLUMN_SHARE : COLUMN_ELAPSED].width = 0;
	heddle__columns_fit(terminal, table->columns, COLUMNS, heddle__names_least(terminal, 24));
}

static void print_text(const struct heddle_column *column, const char *text, bool first)
{
	if (heddle__column_shown(column))
		printf("%s%*s", first ? "" : " ", column->width, text);
}

static void print_share(const struct heddle_column *column, uint64_t part, uint64_t whole)
{
	char text[32] = "-";
	if (whole)
		snprintf(text, sizeof(text), "%.1f", 100.0 * (double)part / (double)whole);
	print_text(column, text, false);
}

/* Prints the share of a line's accesses that are on a side; "?" if the side of some is unknown. */
static void print_side(const struct heddle_column *column, const struct heddle_access_row *line, enum profile_side side)
{
	if (line->unknown)
		print_text(column, "?", false);
	else
		print_share(column, line->count[side], heddle__access_count(line));
}

static size_t print_numbers(const struct table *table, const struct heddle_access_row *line)
{
	char text[32];
	const struct heddle_column *columns = table->columns;
	print_text(&columns[COLUMN_COUNT], heddle__format_count(text, sizeof(text), heddle__access_count(line)), true);
	print_side(&columns[COLUMN_SAME_NODE], line, HEDDLE_SIDE_SAME_NODE);
	print_side(&columns[COLUMN_REMOTE], line, HEDDLE_SIDE_REMOTE);
	print_text(&columns[COLUMN_MOVED], heddle__format_bytes(text, sizeof(text), line->moved), false);
	print_text(&columns[COLUMN_TIME], heddle__format_time(text, sizeof(text), line->time_ns), false);
	print_text(&columns[COLUMN_FLIGHT], heddle__format_time(text, sizeof(text), line->flight_ns), false);
	print_share(&columns[COLUMN_SHARE], line->time_ns, table->sums.total.time_ns);
	print_share(&columns[COLUMN_ELAPSED], line->time_ns, line->wall_ns);
	fputs("  ", stdout);
	return heddle__columns_width(columns, COLUMNS) + 2;
}

static void name_thread(char *text, size_t size, const struct table *table, uint32_t rank)
{
	if (rank == HEDDLE_NO_RANK)
		snprintf(text, size, "no %s", table->ranks);
	else
		snprintf(text, size, "%s %" PRIu32, table->rank, rank);
}

/* Makes "UPC 0 -> UPC 1", "UPC 0  label", "label  cc.upc:61". */
static void name_line(char *text, size_t size, const struct table *table, const struct heddle_access_row *line)
{
	char thread[32] = "", owner[48] = "", place[300] = "";
	if (table->keys & HEDDLE_ACCESS_THREAD)
		name_thread(thread, sizeof(thread), table, line->thread);
	if (table->keys & HEDDLE_ACCESS_OWNER) {
		memcpy(owner, " -> ", 5);
		name_thread(owner + 4, sizeof(owner) - 4, table, line->owner);
	}
	if (table->keys & HEDDLE_ACCESS_LINE)
		snprintf(place, sizeof(place), "%.250s:%" PRIu32, *line->file ? profile_base_name(line->file) : "?",
			line->number);
	const char *gap = *line->variable && (*thread || *place) ? "  " : "";
	if (*thread)
		snprintf(text, size, "%s%s%s%s", thread, owner, gap, line->variable);
	else
		snprintf(text, size, "%s%s%s", line->variable, gap, place);
}

static void print_line(const struct table *table, const struct heddle_access_row *line)
{
	char name[1024];
	size_t used = print_numbers(table, line);
	name_line(name, sizeof(name), table, line);
	for (char *at = name; *at; at++)
		if ((unsigned char)*at < 0x20)
			*at = '?';
	heddle__print_fitting(&table->report->terminal, name, used);
	putchar('\n');
}

/*
 * A line is shown for its share of time or of accesses, of the total or of its thread's; lines of threads are always
 * shown.
 */
static bool is_hidden(const struct table *table, const struct heddle_access_row *line)
{
	double share = heddle__least_percent(table->report->min_percent, table->sums.count) / 100;
	return table->keys != HEDDLE_ACCESS_THREAD && (double)line->time_ns < share * (double)line->all_ns &&
	       (double)heddle__access_count(line) < share * (double)line->all_count;
}

static const char *what_of(unsigned keys)
{
	for (size_t i = 0; i < WAYS; i++)
		if (ways[i].keys == keys)
			return ways[i].name;
	return "";
}

static void print_table(struct table *table)
{
	size_t hidden = 0;
	make_columns(table);
	heddle__columns_print_heading(&table->report->terminal, table->columns, COLUMNS, what_of(table->keys));
	for (size_t i = 0; i < table->sums.count; i++) {
		if (is_hidden(table, &table->sums.rows[i]))
			hidden++;
		else
			print_line(table, &table->sums.rows[i]);
	}
	heddle__style(&table->report->terminal, HEDDLE_STYLE_BOLD);
	print_numbers(table, &table->sums.total);
	fputs("all accesses\n", stdout);
	heddle__style(&table->report->terminal, HEDDLE_STYLE_NORMAL);
	if (hidden)
		printf("(%zu line%s below %g %% hidden)\n", hidden, hidden == 1 ? "" : "s",
			heddle__least_percent(table->report->min_percent, table->sums.count));
	heddle__columns_print_omitted(&table->report->terminal, table->columns, COLUMNS);
}

/* Prints why there is nothing to show, or not everything. */
static void print_hint(const struct heddle_report *report, const char *text)
{
	struct heddle_wrap how = {.out = stdout, .width = report->terminal.width};
	heddle__print_wrapped(&how, text);
}

void heddle__accesses_missing(const struct heddle_report *report)
{
	print_hint(report, "No shared-memory accesses were recorded. OpenSHMEM programs report them (docs/shmem.md), "
			   "and UPC programs compiled with `heddle upcc --inst` (local ones with --inst-local).\n");
}

static int print_accesses(const struct heddle_report *report, const struct profile_accesses *accesses, unsigned keys)
{
	struct table table = {.report = report, .keys = keys, .rank = accesses->rank, .ranks = accesses->ranks};
	bool paired = accesses->pair_count;
	if (!accesses->row_count) {
		heddle__accesses_missing(report);
		return 0;
	}
	if (!paired && keys & (HEDDLE_ACCESS_VARIABLE | HEDDLE_ACCESS_THREAD)) {
		print_hint(report,
			accesses->rows[0].unknown
				? "The layout of the program's pointers-to-shared is unknown: link it with `heddle "
				  "upcc` (docs/upc.md). By line:\n"
				: "Variables and pairs of threads were not measured: measure with `heddle run "
				  "--accesses`. By line:\n");
		table.keys = HEDDLE_ACCESS_LINE;
	}
	if (paired && keys & HEDDLE_ACCESS_VARIABLE && !profile_accesses_name_variables(accesses))
		print_hint(report, "Variables were not measured: measure with `heddle run --accesses`.\n");
	int error = heddle__access_table_make(&table.sums, accesses, table.keys);
	if (error)
		return error;
	if (table.keys & HEDDLE_ACCESS_OWNER)
		heddle__report_pairs(&report->terminal, accesses);
	print_table(&table);
	heddle__access_table_free(&table.sums);
	return 0;
}

static bool has_thread(const struct profile_measurement *measurement, uint32_t rank)
{
	for (size_t p = 0; p < measurement->process_count; p++)
		for (size_t t = 0; t < measurement->processes[p].thread_count; t++)
			if (measurement->processes[p].threads[t].rank == rank + 1)
				return true;
	return false;
}

int heddle__accesses_make(struct profile_accesses *accesses, const struct heddle_report *report,
	const struct heddle_access_options *options)
{
	const struct profile_measurement *measurement = &report->session->measurement;
	if (!options->thread)
		return profile_accesses_make(accesses, measurement);
	uint32_t rank = rank_of(options->thread);
	if (!has_thread(measurement, rank)) {
		fprintf(stderr, "heddle: report: --thread: %s has no rank %" PRIu32 "\n", measurement->path, rank);
		return HEDDLE_EXIT_NO_VALUES;
	}
	int error = profile_accesses_make_of(accesses, measurement, rank);
	if (error != -HEDDLE_MERGED)
		return error;
	fprintf(stderr,
		"heddle: report: --thread: %s is a merged file, which has no values of single threads: give the "
		"directory that it was made from\n",
		measurement->path);
	return HEDDLE_EXIT_NO_VALUES;
}

static bool wanted(const struct heddle_report_options *options)
{
	const struct heddle_access_options *accesses = &options->accesses;
	return options->given[HEDDLE_REPORT_accesses] || accesses->by || accesses->variable ||
	       (accesses->thread && !accesses->annotate);
}

static int print(const struct heddle_report *report)
{
	const struct heddle_access_options *options = &report->options->accesses;
	struct profile_accesses accesses;
	int error = heddle__accesses_make(&accesses, report, options);
	if (error)
		return error;
	if (options->variable && !profile_accesses_keep_variable(&accesses, options->variable)) {
		fprintf(stderr, "heddle: report: --variable: no access to '%s' was measured\n", options->variable);
		error = HEDDLE_EXIT_NO_VALUES;
	} else {
		error = print_accesses(report, &accesses, chosen_keys(options->by, &accesses));
		if (!error && !options->variable && !options->thread && !(keys_of(options->by) & HEDDLE_ACCESS_THREAD))
			error = heddle__report_cached(report);
	}
	profile_accesses_free(&accesses);
	return error;
}

const struct heddle_report_part heddle__report_part_accesses = {.own_metric = true, .wanted = wanted, .print = print};
