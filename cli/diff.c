/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle diff`: what changed between measurements, by call path. */
#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/terminal_options.h"
#include "cli/base/wrap.h"
#include "cli/report/diff_formats.h"
#include "cli/report/diff_page.h"
#include "cli/report/diff_parts.h"
#include "cli/report/page_file.h"
#include "cli/report/report_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct diff_options {
	bool tree, flat;
	const char *metric, *html, *format;
	double min_percent, fail_above;
	struct heddle_terminal_options terminal;
};

static const struct heddle_option options[] = {
	{"--tree", NULL, "by call path (the default)", HEDDLE_OPTION_FLAG, offsetof(struct diff_options, tree)},
	{"--flat", NULL, "by function, exclusive", HEDDLE_OPTION_FLAG, offsetof(struct diff_options, flat)},
	{"--metric", "NAME", "see --metric help (default: cpu-time, else wall-time)", HEDDLE_OPTION_TEXT,
		offsetof(struct diff_options, metric)},
	{"--min", "PCT", "hide changes below this percentage of the total (default: 1)", HEDDLE_OPTION_PERCENT,
		offsetof(struct diff_options, min_percent)},
	{"--fail-above", "PCT", "exit with status 8 if the total rose significantly by more", HEDDLE_OPTION_RISE,
		offsetof(struct diff_options, fail_above)},
	{"--format", "FORMAT", "text (the default), markdown or junit: the largest changes by function",
		HEDDLE_OPTION_TEXT, offsetof(struct diff_options, format)},
	{"--html", "FILE", "write an HTML page instead", HEDDLE_OPTION_TEXT, offsetof(struct diff_options, html)},
	HEDDLE_TERMINAL_OPTIONS(diff_options),
	{0},
};

/* ---- the two sides ---- */

struct sides {
	const char **paths; /* of all runs, those of the side "before" first */
	struct heddle_session *sessions;
	const struct profile_view **views; /* views of the sessions */
	size_t count, before, open;
};

static int complain_arguments(void)
{
	fputs("heddle: diff: two sides are needed: heddle diff BEFORE AFTER, or with several runs heddle diff "
	      "BEFORE... -- AFTER...; see: heddle diff --help\n",
		stderr);
	return HEDDLE_EXIT_USAGE;
}

/* Options may precede and follow the "--". */
static int parse(int argc, char **argv, struct diff_options *chosen, struct sides *sides)
{
	int left = 1, before = 0, after = 0;
	while (left < argc && strcmp(argv[left], "--") != 0)
		left++;
	int status = heddle__options_parse(&heddle__command_diff, left, argv, chosen, sides->paths, &before);
	if (!status && left < argc)
		status = heddle__options_parse(
			&heddle__command_diff, argc - left, argv + left, chosen, sides->paths + before, &after);
	if (status)
		return status;
	for (int i = left + 1; i < argc; i++)
		if (strcmp(argv[i], "--") == 0)
			return complain_arguments();
	if (left == argc && before == 2) {
		before = 1;
		after = 1;
	}
	sides->before = (size_t)before;
	sides->count = (size_t)before + (size_t)after;
	return before && after ? 0 : complain_arguments();
}

static int open_all(struct sides *sides)
{
	struct heddle_session_options how = {0};
	sides->sessions = calloc(sides->count, sizeof(*sides->sessions));
	sides->views = calloc(sides->count, sizeof(*sides->views));
	int status = sides->sessions && sides->views ? 0 : HEDDLE_EXIT_FAILED;
	for (; !status && sides->open < sides->count; sides->open++) {
		status = heddle__session_open(&sides->sessions[sides->open], sides->paths[sides->open], &how);
		if (status)
			break;
		sides->views[sides->open] = &sides->sessions[sides->open].view;
	}
	return status;
}

static void close_all(struct sides *sides)
{
	for (size_t i = 0; i < sides->open; i++)
		heddle__session_close(&sides->sessions[i]);
	free(sides->views);
	free(sides->sessions);
	free(sides->paths);
}

/* Returns the first process of a run that could be read; NULL: none. */
static const Heddle__Profile__Process *first_process(const struct heddle_session *session)
{
	const struct profile_measurement *measurement = &session->measurement;
	for (size_t i = 0; i < measurement->process_count; i++)
		if (!measurement->processes[i].error)
			return measurement->processes[i].info;
	return NULL;
}

static bool is_same_run(const struct heddle_session *one, const struct heddle_session *other)
{
	const Heddle__Profile__Process *a = first_process(one), *b = first_process(other);
	return a && b && a->start_unix_ns && a->start_unix_ns == b->start_unix_ns && a->pid == b->pid &&
	       strcmp(a->host, b->host) == 0;
}

/* Refuses a run that counts twice on its side, which would make any change significant. */
static int refuse_repeated(const struct sides *sides)
{
	for (size_t i = 1; i < sides->count; i++) {
		for (size_t j = i < sides->before ? 0 : sides->before; j < i; j++) {
			if (is_same_run(&sides->sessions[i], &sides->sessions[j])) {
				fprintf(stderr, "heddle: diff: %s and ", heddle__shown(sides->paths[j]));
				fprintf(stderr, "%s are the same run: name each run once\n",
					heddle__shown(sides->paths[i]));
				return HEDDLE_EXIT_USAGE;
			}
		}
	}
	return 0;
}

/* ---- the metric ---- */

static size_t runs_with(const struct sides *sides, enum heddle_metric metric)
{
	size_t count = 0;
	for (size_t i = 0; i < sides->count; i++)
		count += profile_measurement_total(&sides->sessions[i].measurement, metric) != 0;
	return count;
}

/*
 * Chooses a metric that all runs have, else one that some have. A requested metric may be missing on one side. Returns
 * the negative exit status after an error.
 */
static int choose_metric(const struct sides *sides, const char *name)
{
	static const enum heddle_metric preferred[] = {
		HEDDLE_METRIC_CPU_TIME, HEDDLE_METRIC_WALL_TIME, HEDDLE_METRIC_SAMPLES, HEDDLE_METRIC_VISITS};
	size_t count = sizeof(preferred) / sizeof(*preferred);
	int asked = name ? profile_metric_find(name) : -1;
	if (asked >= 0 && runs_with(sides, asked))
		return asked;
	if (name)
		return heddle__choose_metric(&sides->sessions[0].measurement, name);
	for (size_t i = 0; i < count; i++)
		if (runs_with(sides, preferred[i]) == sides->count)
			return (int)preferred[i];
	for (size_t i = 0; i < count; i++)
		if (runs_with(sides, preferred[i]))
			return (int)preferred[i];
	fprintf(stderr, "heddle: diff: %s and the others hold no samples and no events: measure longer\n",
		sides->paths[0]);
	return -HEDDLE_EXIT_NO_VALUES;
}

/* ---- printing ---- */

static void print_side(const char *name, const struct sides *sides, size_t first, size_t end)
{
	const struct heddle_terminal uncolored = {0};
	printf("%-7s", name);
	for (size_t i = first; i < end; i++) {
		fputs(i == first ? " " : ", ", stdout);
		heddle__print_fitting(&uncolored, sides->paths[i], 0);
	}
	putchar('\n');
	for (size_t i = first; i < end; i++)
		heddle__print_incomplete(&sides->sessions[i].measurement);
}

static const char *program_name(const struct heddle_session *session)
{
	const Heddle__Profile__Process *process = first_process(session);
	const char *slash = process ? strrchr(process->program, '/') : NULL;
	return slash ? slash + 1 : process ? process->program : "";
}

static void print_notes(const struct sides *sides)
{
	const char *before = program_name(&sides->sessions[0]), *after = program_name(&sides->sessions[sides->before]);
	if (strcmp(before, after) != 0)
		printf("note: the programs differ: %s before, %s after\n", before, after);
	for (size_t i = 0; i < sides->before; i++)
		for (size_t j = sides->before; j < sides->count; j++)
			if (is_same_run(&sides->sessions[i], &sides->sessions[j])) {
				printf("note: %s", heddle__shown(sides->paths[i]));
				printf(" and %s are the same run\n", heddle__shown(sides->paths[j]));
			}
}

static void print_whole(const struct heddle_diff *diff)
{
	char before[32], after[32], percent[32], significance[32], margin[32];
	const struct heddle_difference *whole = &diff->whole;
	const char *unit = profile_metric_unit(diff->metric);
	printf("%-7s %s -> %s, %s", profile_metric_name(diff->metric),
		heddle__format_value(before, sizeof(before), (uint64_t)(whole->before + 0.5), unit),
		heddle__format_value(after, sizeof(after), (uint64_t)(whole->after + 0.5), unit),
		heddle__format_change(percent, sizeof(percent), whole));
	if (whole->tested)
		printf(" (%s; the change is within +-%s of that, at 95 %% confidence)",
			heddle__format_significance(significance, sizeof(significance), whole),
			heddle__format_value(margin, sizeof(margin), (uint64_t)(whole->margin + 0.5), unit));
	putchar('\n');
	if (!whole->tested)
		puts("note: with one run per side, a change cannot be distinguished from chance: give several runs per "
		     "side");
	putchar('\n');
}

static int print_parts(const struct heddle_diff_report *report, const struct diff_options *chosen)
{
	bool tree = chosen->tree || !chosen->flat;
	int error = tree ? heddle__diff_tree(report) : 0;
	if (tree && chosen->flat)
		putchar('\n');
	return error || !chosen->flat ? error : heddle__diff_flat(report);
}

static int print_text(
	const struct sides *sides, const struct diff_options *chosen, const struct heddle_diff_report *report)
{
	struct heddle_capture capture;
	heddle__capture_begin(&capture);
	print_side("before", sides, 0, sides->before);
	print_side("after", sides, sides->before, sides->count);
	print_notes(sides);
	print_whole(&report->diff);
	heddle__capture_end(&capture, (struct heddle_wrap){.width = report->terminal.width, .indent = 8, .glue = ", "});
	return print_parts(report, chosen);
}

static bool is_worse(const struct heddle_difference *whole, double percent)
{
	bool rose = whole->change > 0 && whole->change * 100 > percent * whole->before;
	return rose && (!whole->tested || whole->p < HEDDLE_SIGNIFICANT);
}

static int print_as(const struct sides *sides, const struct diff_options *chosen,
	const struct heddle_diff_report *report, bool fails)
{
	const char *format = chosen->format ? chosen->format : "text";
	if (strcmp(format, "markdown") == 0)
		return heddle__diff_markdown(report);
	if (strcmp(format, "junit") == 0)
		return heddle__diff_junit(report, fails, chosen->fail_above);
	return print_text(sides, chosen, report);
}

static int check_format(const char *format)
{
	if (!format || strcmp(format, "text") == 0 || strcmp(format, "markdown") == 0 || strcmp(format, "junit") == 0)
		return 0;
	fprintf(stderr, "heddle: diff: --format: '%s' is unknown: choose one of text, markdown, junit\n",
		heddle__shown(format));
	return HEDDLE_EXIT_USAGE;
}

static int compare(const struct sides *sides, const struct diff_options *chosen, struct heddle_diff_report *report)
{
	int metric = choose_metric(sides, chosen->metric), status = 0;
	struct heddle_diff *diff = &report->diff;
	if (metric < 0)
		return -metric;
	int error = heddle__diff_make(diff, sides->views, sides->count, sides->before, (enum heddle_metric)metric);
	bool fails = !error && chosen->fail_above >= 0 && is_worse(&diff->whole, chosen->fail_above);
	if (!error && chosen->html)
		status = heddle__diff_page(diff, sides->sessions, sides->views, sides->paths, chosen->html);
	else if (!error)
		error = print_as(sides, chosen, report, fails);
	if (error)
		return heddle__complain_file(sides->paths[0], error);
	if (status)
		return status;
	return fails ? HEDDLE_EXIT_WORSE : 0;
}

static int run(int argc, char **argv)
{
	struct diff_options chosen = {.min_percent = 1, .fail_above = -1};
	struct sides sides = {.paths = calloc((size_t)argc + 1, sizeof(*sides.paths))};
	int status = sides.paths ? parse(argc, argv, &chosen, &sides) : HEDDLE_EXIT_FAILED;
	if (!status)
		status = check_format(chosen.format);
	if (!status)
		status = heddle__terminal_options_check("diff", &chosen.terminal);
	if (!status && chosen.html)
		status = heddle__page_check("diff", chosen.html);
	if (!status)
		status = open_all(&sides);
	if (!status)
		status = refuse_repeated(&sides);
	if (!status) {
		struct heddle_diff_report report = {
			.terminal = heddle__terminal_begin(&chosen.terminal), .min_percent = chosen.min_percent};
		status = compare(&sides, &chosen, &report);
		heddle__diff_free(&report.diff);
	}
	close_all(&sides);
	return status;
}

const struct heddle_command heddle__command_diff = {
	.name = "diff",
	.summary = "Show what changed between measurements, by call path",
	.arguments = "BEFORE AFTER | BEFORE... -- AFTER...",
	.details =
		"Each is a measurement or a merged file. With several runs per side, means are compared, and changes "
		"are\ntested for significance (Welch's t-test, p < 0.05). Functions are matched by name; lines may "
		"have\nshifted.\n",
	.exit_status = "0; 1 to 7 after an error: heddle(1) lists them; 8 by --fail-above",
	.lists_metrics = true,
	.options = options,
	.run = run,
};
