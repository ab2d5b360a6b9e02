/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --accesses`: accesses to shared memory by variable, source line, thread or pair of threads. What is by
 * thread comes from the table of pairs, the rest from the call-path tree.
 */
#include "cli/report/report_accesses.h"

#include "cli/base/exit_status.h"
#include "cli/base/wrap.h"
#include "profile/base/base_name.h"
#include "profile/base/errors.h"
#include "profile/view/view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BY_VARIABLE = 1, BY_LINE = 2, BY_THREAD = 4, BY_OWNER = 8 };

static const struct {
	const char *name;
	unsigned keys;
} ways[] = {
	{"variable", BY_VARIABLE},
	{"line", BY_LINE},
	{"variable,line", BY_VARIABLE | BY_LINE},
	{"pair", BY_THREAD | BY_OWNER},
	{"thread", BY_THREAD},
	{"thread,variable", BY_THREAD | BY_VARIABLE},
	{"pair,variable", BY_THREAD | BY_OWNER | BY_VARIABLE},
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

/* One line of the table: the sum of rows or pairs with equal keys; keys that do not count are empty or 0. */
struct line {
	const char *variable, *file;
	uint32_t number; /* of the source line */
	uint32_t thread, owner;
	uint64_t count[HEDDLE_SIDES], unknown, moved, time_ns, flight_ns;
	uint64_t wall_ns;           /* of the thread */
	uint64_t all_ns, all_count; /* of all lines, or of those of the thread */
};

struct table {
	const struct heddle_report *report;
	const struct profile_accesses *accesses;
	unsigned keys;
	struct line *lines, total;
	size_t count;
	struct heddle_column columns[COLUMNS];
};

bool heddle__accesses_are_wanted(const struct heddle_access_options *options)
{
	return options->table || options->by || options->annotate || options->thread || options->variable;
}

static unsigned keys_of(const char *by)
{
	for (size_t i = 0; by && i < WAYS; i++)
		if (strcmp(ways[i].name, by) == 0)
			return ways[i].keys;
	return by ? 0 : BY_VARIABLE;
}

/* The number of a thread as typed; HEDDLE_NO_RANK: it is none. */
static uint32_t rank_of(const char *text)
{
	char *end;
	unsigned long rank = strtoul(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && rank < HEDDLE_NO_RANK ? (uint32_t)rank : HEDDLE_NO_RANK;
}

int heddle__accesses_check(const struct heddle_access_options *options, bool part)
{
	if (part && keys_of(options->by) & BY_THREAD) {
		fprintf(stderr,
			"heddle: report: --by %s: accesses of single threads and pairs are known of the whole run "
			"only: leave out --from, --to and --phase\n",
			options->by);
		return HEDDLE_EXIT_USAGE;
	}
	if (options->thread && rank_of(options->thread) == HEDDLE_NO_RANK) {
		fprintf(stderr, "heddle: report: --thread: '%s' is not the number of a UPC thread\n", options->thread);
		return HEDDLE_EXIT_USAGE;
	}
	if (keys_of(options->by))
		return 0;
	fprintf(stderr, "heddle: report: --by: '%s' is unknown: choose one of ", options->by);
	for (size_t i = 0; i < WAYS; i++)
		fprintf(stderr, "%s%s", i ? ", " : "", ways[i].name);
	fputs("\n", stderr);
	return HEDDLE_EXIT_USAGE;
}

/* ---- adding up ---- */

static uint64_t count_of(const struct line *line)
{
	return line->count[HEDDLE_SIDE_LOCAL] + line->count[HEDDLE_SIDE_SAME_NODE] + line->count[HEDDLE_SIDE_REMOTE] +
	       line->unknown;
}

static int by_keys(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	int order = strcmp(x->variable, y->variable);
	order = order ? order : strcmp(x->file, y->file);
	return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* The most expensive first; lines by thread stay in the order of threads. */
static int by_time(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns > y->time_ns ? -1 : 1;
	if (count_of(x) != count_of(y))
		return count_of(x) > count_of(y) ? -1 : 1;
	return by_keys(a, b);
}

static void add(struct line *to, const struct line *from)
{
	for (int s = 0; s < HEDDLE_SIDES; s++)
		to->count[s] += from->count[s];
	to->unknown += from->unknown;
	to->moved += from->moved;
	to->time_ns += from->time_ns;
	to->flight_ns += from->flight_ns;
}

static void put_rows(struct table *table)
{
	for (size_t i = 0; i < table->accesses->row_count; i++) {
		const struct profile_access *row = &table->accesses->rows[i];
		struct line *line = &table->lines[table->count++];
		*line = (struct line){.variable = table->keys & BY_VARIABLE ? row->variable : "",
			.file = table->keys & BY_LINE ? row->file : "",
			.number = table->keys & BY_LINE ? row->line : 0,
			.unknown = row->unknown,
			.moved = row->bytes_got + row->bytes_put,
			.time_ns = row->time_ns,
			.flight_ns = row->flight_ns};
		memcpy(line->count, row->count, sizeof(line->count));
	}
}

static uint64_t wall_of(const struct profile_accesses *accesses, uint32_t rank)
{
	for (size_t i = 0; i < accesses->thread_count; i++)
		if (accesses->threads[i].rank == rank)
			return accesses->threads[i].wall_ns;
	return 0;
}

static void put_pairs(struct table *table)
{
	for (size_t i = 0; i < table->accesses->pair_count; i++) {
		const struct profile_pair *pair = &table->accesses->pairs[i];
		struct line *line = &table->lines[table->count++];
		*line = (struct line){.variable = table->keys & BY_VARIABLE ? pair->variable : "",
			.file = "",
			.thread = pair->thread,
			.owner = table->keys & BY_OWNER ? pair->owner : 0,
			.moved = pair->bytes_got + pair->bytes_put,
			.time_ns = pair->time_ns};
		line->count[pair->side] = pair->gets + pair->puts;
	}
}

/* Sets what each line is a part of; those of a thread are side by side. */
static void sum_up(struct table *table)
{
	for (size_t first = 0, end; first < table->count; first = end) {
		struct line all = {0};
		for (end = first; end < table->count && table->lines[end].thread == table->lines[first].thread; end++)
			add(&all, &table->lines[end]);
		for (size_t i = first; i < end; i++) {
			table->lines[i].all_ns = all.time_ns;
			table->lines[i].all_count = count_of(&all);
		}
	}
}

/* Adds up lines of equal keys, which are side by side. */
static void unite(struct table *table)
{
	size_t kept = 0;
	qsort(table->lines, table->count, sizeof(*table->lines), by_keys);
	for (size_t i = 0; i < table->count; i++) {
		add(&table->total, &table->lines[i]);
		if (kept && by_keys(&table->lines[kept - 1], &table->lines[i]) == 0)
			add(&table->lines[kept - 1], &table->lines[i]);
		else
			table->lines[kept++] = table->lines[i];
	}
	table->count = kept;
	qsort(table->lines, table->count, sizeof(*table->lines), by_time);
	sum_up(table);
	for (size_t i = 0; i < kept && table->keys & BY_THREAD; i++)
		table->lines[i].wall_ns = wall_of(table->accesses, table->lines[i].thread);
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
	const struct heddle_look *look = &table->report->look;
	memcpy(table->columns, all, sizeof(all));
	if (!table->total.count[HEDDLE_SIDE_SAME_NODE])
		table->columns[COLUMN_SAME_NODE].width = 0;
	if (!table->total.flight_ns)
		table->columns[COLUMN_FLIGHT].width = 0;
	table->columns[table->keys & BY_THREAD ? COLUMN_SHARE : COLUMN_ELAPSED].width = 0;
	heddle__columns_fit(look, table->columns, COLUMNS, heddle__names_least(look, 24));
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

/* The part of a line's accesses that is on a side; "?" if some are on no known one. */
static void print_side(const struct heddle_column *column, const struct line *line, enum profile_side side)
{
	if (line->unknown)
		print_text(column, "?", false);
	else
		print_share(column, line->count[side], count_of(line));
}

static size_t print_numbers(const struct table *table, const struct line *line)
{
	char text[32];
	const struct heddle_column *columns = table->columns;
	print_text(&columns[COLUMN_COUNT], heddle__format_count(text, sizeof(text), count_of(line)), true);
	print_side(&columns[COLUMN_SAME_NODE], line, HEDDLE_SIDE_SAME_NODE);
	print_side(&columns[COLUMN_REMOTE], line, HEDDLE_SIDE_REMOTE);
	print_text(&columns[COLUMN_MOVED], heddle__format_bytes(text, sizeof(text), line->moved), false);
	print_text(&columns[COLUMN_TIME], heddle__format_time(text, sizeof(text), line->time_ns), false);
	print_text(&columns[COLUMN_FLIGHT], heddle__format_time(text, sizeof(text), line->flight_ns), false);
	print_share(&columns[COLUMN_SHARE], line->time_ns, table->total.time_ns);
	print_share(&columns[COLUMN_ELAPSED], line->time_ns, line->wall_ns);
	fputs("  ", stdout);
	return heddle__columns_width(columns, COLUMNS) + 2;
}

static void name_thread(char *text, size_t size, uint32_t rank)
{
	if (rank == HEDDLE_NO_RANK)
		snprintf(text, size, "no UPC thread");
	else
		snprintf(text, size, "UPC %" PRIu32, rank);
}

/* "UPC 0 -> UPC 1", "UPC 0  label", "label  cc.upc:61". */
static void name_line(char *text, size_t size, const struct table *table, const struct line *line)
{
	char thread[32] = "", owner[48] = "", place[300] = "";
	if (table->keys & BY_THREAD)
		name_thread(thread, sizeof(thread), line->thread);
	if (table->keys & BY_OWNER) {
		memcpy(owner, " -> ", 5);
		name_thread(owner + 4, sizeof(owner) - 4, line->owner);
	}
	if (table->keys & BY_LINE)
		snprintf(place, sizeof(place), "%.250s:%" PRIu32, *line->file ? profile_base_name(line->file) : "?",
			line->number);
	const char *gap = *line->variable && (*thread || *place) ? "  " : "";
	if (*thread)
		snprintf(text, size, "%s%s%s%s", thread, owner, gap, line->variable);
	else
		snprintf(text, size, "%s%s%s", line->variable, gap, place);
}

static void print_line(const struct table *table, const struct line *line)
{
	char name[1024];
	size_t used = print_numbers(table, line);
	name_line(name, sizeof(name), table, line);
	for (char *at = name; *at; at++)
		if ((unsigned char)*at < 0x20)
			*at = '?';
	heddle__print_fitting(&table->report->look, name, used);
	putchar('\n');
}

/*
 * A line is shown for its time or for its number of accesses, compared with all, or with the thread's; all threads are.
 */
static bool is_hidden(const struct table *table, const struct line *line)
{
	double share = heddle__least_percent(table->report->min_percent, table->count) / 100;
	return table->keys != BY_THREAD && (double)line->time_ns < share * (double)line->all_ns &&
	       (double)count_of(line) < share * (double)line->all_count;
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
	heddle__columns_print_heading(&table->report->look, table->columns, COLUMNS, what_of(table->keys));
	for (size_t i = 0; i < table->accesses->thread_count; i++)
		table->total.wall_ns += table->accesses->threads[i].wall_ns;
	for (size_t i = 0; i < table->count; i++) {
		if (is_hidden(table, &table->lines[i]))
			hidden++;
		else
			print_line(table, &table->lines[i]);
	}
	heddle__style(&table->report->look, HEDDLE_STYLE_BOLD);
	print_numbers(table, &table->total);
	fputs("all accesses\n", stdout);
	heddle__style(&table->report->look, HEDDLE_STYLE_NORMAL);
	if (hidden)
		printf("(%zu line%s below %g %% hidden)\n", hidden, hidden == 1 ? "" : "s",
			heddle__least_percent(table->report->min_percent, table->count));
	heddle__columns_print_omitted(&table->report->look, table->columns, COLUMNS);
}

/* Why there is nothing to show, or not all. */
static void print_hint(const struct heddle_report *report, const char *text)
{
	struct heddle_wrap how = {.out = stdout, .width = report->look.width};
	heddle__print_wrapped(&how, text);
}

void heddle__accesses_missing(const struct heddle_report *report)
{
	print_hint(report,
		"Nothing tells of accesses to shared memory: UPC programs do, compiled by `heddle upcc --inst` "
		"(local accesses too: --inst-local).\n");
}

static int print_accesses(const struct heddle_report *report, const struct profile_accesses *accesses, unsigned keys)
{
	struct table table = {.report = report, .accesses = accesses, .keys = keys};
	bool paired = accesses->pair_count;
	if (!accesses->row_count) {
		heddle__accesses_missing(report);
		return 0;
	}
	if (!paired && keys & (BY_VARIABLE | BY_THREAD)) {
		print_hint(report,
			accesses->rows[0].unknown
				? "The program's pointers-to-shared are not understood: link it with `heddle upcc`, "
				  "which adds what tells of them (docs/upc.md). By line:\n"
				: "Variables and pairs of threads were not measured: measure with `heddle run "
				  "--accesses`. By line:\n");
		table.keys = BY_LINE;
	}
	table.lines = calloc(accesses->row_count + accesses->pair_count, sizeof(*table.lines));
	if (!table.lines)
		return -ENOMEM;
	if (table.keys & BY_THREAD)
		put_pairs(&table);
	else
		put_rows(&table);
	unite(&table);
	if (table.keys & BY_OWNER)
		heddle__report_pairs(&report->look, accesses);
	print_table(&table);
	free(table.lines);
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
		fprintf(stderr, "heddle: report: --thread: %s has no UPC thread %" PRIu32 "\n", measurement->path,
			rank);
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

int heddle__report_accesses(const struct heddle_report *report, const struct heddle_access_options *options)
{
	struct profile_accesses accesses;
	int error = heddle__accesses_make(&accesses, report, options);
	if (error)
		return error;
	if (options->variable && !profile_accesses_keep_variable(&accesses, options->variable)) {
		fprintf(stderr, "heddle: report: --variable: no access to '%s' was measured\n", options->variable);
		error = HEDDLE_EXIT_NO_VALUES;
	} else {
		error = print_accesses(report, &accesses, keys_of(options->by));
		if (!error && !options->variable && !options->thread && !(keys_of(options->by) & BY_THREAD))
			error = heddle__report_cached(report);
	}
	profile_accesses_free(&accesses);
	return error;
}
