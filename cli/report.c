/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report`: where the time went, as text. */
#include "analysis/findings.h"
#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/source_dirs.h"
#include "cli/base/wrap.h"
#include "cli/report/page_file.h"
#include "cli/report/report_accesses.h"
#include "cli/report/report_markdown.h"
#include "cli/report/report_page.h"
#include "cli/report/report_parts.h"
#include "cli/report/report_traced.h"
#include "profile/base/errors.h"

#include <stdlib.h>
#include <string.h>

#define OPTIONS struct heddle_report_options

static const struct heddle_option options[] = {
#define PART(name, option, help) \
	{option, NULL, help, HEDDLE_OPTION_FLAG, offsetof(OPTIONS, given[HEDDLE_REPORT_##name])},
#define OTHER(name)
#define OPTION(name, argument, help, type, member) \
	{name, argument, help, HEDDLE_OPTION_##type, offsetof(OPTIONS, member)},
	HEDDLE_REPORT_PARTS(PART, OTHER, OPTION)
#undef PART
#undef OTHER
#undef OPTION
		{"--from", "TIME", "traces: only events from this time on: 1.2s, 300ms", HEDDLE_OPTION_TEXT,
			offsetof(OPTIONS, traced.from)},
	{"--to", "TIME", "traces: only events until this time", HEDDLE_OPTION_TEXT, offsetof(OPTIONS, traced.to)},
	{"--phase", "NAME[#N]", "traces: only during a phase (its N-th execution)", HEDDLE_OPTION_TEXT,
		offsetof(OPTIONS, traced.phase)},
	{"--format", "FORMAT", "text (the default) or markdown (findings, top functions)", HEDDLE_OPTION_TEXT,
		offsetof(OPTIONS, format)},
	{"--html", "FILE", "write an HTML page; with several runs: what changed", HEDDLE_OPTION_TEXT,
		offsetof(OPTIONS, html)},
	{"--sources", NULL, "with --html: include the text of source files", HEDDLE_OPTION_FLAG,
		offsetof(OPTIONS, sources)},
	HEDDLE_SOURCE_DIR_OPTION(heddle_report_options),
	{"--causal", NULL, "traces: correct clocks by causes and effects", HEDDLE_OPTION_FLAG,
		offsetof(OPTIONS, traced.causal)},
	{"--stats", NULL, "min, mean, max over threads and imbalance", HEDDLE_OPTION_FLAG, offsetof(OPTIONS, stats)},
	{"--metric", "NAME", "see --metric help (default: cpu-time, else wall-time)", HEDDLE_OPTION_TEXT,
		offsetof(OPTIONS, metric)},
	{"--min", "PCT", "hide what is below this share (default: 1; tables: 0)", HEDDLE_OPTION_PERCENT,
		offsetof(OPTIONS, min_percent)},
	{"--depth", "N", "hide paths deeper than N levels", HEDDLE_OPTION_COUNT, offsetof(OPTIONS, depth)},
	{"--runtime-frames", NULL, "show frames of OpenMP's runtime and of thread start", HEDDLE_OPTION_FLAG,
		offsetof(OPTIONS, runtime_frames)},
	{"--recursion", NULL, "show each level of recursion", HEDDLE_OPTION_FLAG, offsetof(OPTIONS, recursion)},
	HEDDLE_TERMINAL_OPTIONS(heddle_report_options),
	{0},
};

static bool is_markdown(const struct heddle_report_options *chosen)
{
	return chosen->format && strcmp(chosen->format, "markdown") == 0;
}

/*
 * True if recursion is folded. Inclusive values of functions are sums over unfolded paths, so trees are folded only if
 * no table has such values.
 */
static bool folds_recursion(const struct heddle_report_options *chosen)
{
	return !is_markdown(chosen) && !chosen->recursion && !chosen->html && !chosen->stats &&
	       (chosen->wanted[HEDDLE_REPORT_tree] || chosen->wanted[HEDDLE_REPORT_callers]) &&
	       !heddle__report_is_unfolded(chosen);
}

/* Returns the metric to show; -1: none; less: the negative exit status, after one line on standard error. */
static int choose_metric(const struct profile_measurement *measurement, const struct heddle_traced *traced,
	const struct heddle_report_options *chosen)
{
	if (chosen->metric)
		return heddle__choose_metric(measurement, chosen->metric);
	if (traced->critical_metric >= 0)
		return traced->critical_metric;
	return heddle__default_metric(measurement);
}

/* True for the first view of a whole run: no option selects a part, metric or form. */
static bool shows_findings(const struct heddle_report_options *chosen, const struct heddle_traced *traced)
{
	for (int part = 0; part < HEDDLE_REPORT_COUNT; part++)
		if (chosen->wanted[part] != (part == HEDDLE_REPORT_tree))
			return false;
	return !chosen->metric && !*traced->shown && !chosen->lines && !chosen->stats;
}

/* Prints which metric has the elapsed time in the findings, if it is not the tree's. */
static void print_base(const struct heddle_report *report, const struct heddle_findings *findings, int metric)
{
	size_t waits = 0;
	for (size_t i = 0; i < findings->count; i++)
		waits += findings->items[i].metric == HEDDLE_METRIC_WALL_TIME;
	if (!waits || metric != HEDDLE_METRIC_CPU_TIME)
		return;
	heddle__style(&report->terminal, HEDDLE_STYLE_DIM);
	puts(profile_measurement_total(&report->session->measurement, HEDDLE_METRIC_WAITING)
			? "The tree shows CPU time; --metric waiting shows the waiting."
			: "The tree shows CPU time; --metric wall-time shows elapsed time.");
	heddle__style(&report->terminal, HEDDLE_STYLE_NORMAL);
}

static int print_findings(const struct heddle_report *report, int metric)
{
	struct heddle_findings findings;
	struct heddle_capture capture;
	bool printed = false;
	int error = heddle__report_efficiency_sentence(report, &printed);
	if (!error)
		error = heddle__findings_make(&findings, &report->session->measurement, &report->session->view);
	for (size_t i = 0; !error && i < findings.count; i++) {
		heddle__capture_begin(&capture);
		fputs("- ", stdout);
		heddle__print_safely(stdout, findings.items[i].text);
		putchar('\n');
		heddle__capture_end(&capture, (struct heddle_wrap){.width = report->terminal.width, .indent = 2});
	}
	if (!error)
		print_base(report, &findings, metric);
	if (!error && (findings.count > 0 || printed))
		putchar('\n');
	return error;
}

static int print_report(
	const struct heddle_session *session, struct heddle_traced *traced, const struct heddle_report_options *chosen)
{
	if (chosen->wanted[HEDDLE_REPORT_efficiency] && !session->measurement.merged)
		heddle__traced_take(traced, &session->measurement, HEDDLE_NO_NETWORK);
	struct heddle_report report = {
		.session = session,
		.options = chosen,
		.traced = traced,
		.terminal = heddle__terminal_begin(&chosen->terminal),
		.min_percent = chosen->min_percent,
		.depth = chosen->depth,
		.counts = HEDDLE_METRIC_VISITS,
		.arguments = true,
		.stats = chosen->stats,
		.part = *traced->shown ? traced->shown : NULL,
		.clocks = *traced->clocks ? traced->clocks : NULL,
	};
	int metric = choose_metric(&session->measurement, traced, chosen);
	if (chosen->metric && metric < 0)
		return -metric;
	if (chosen->stats && metric == HEDDLE_METRIC_HELD) {
		fputs("heddle: report: --stats: bytes-held has no values by thread, as any thread may free memory: "
		      "choose bytes-allocated\n",
			stderr);
		return HEDDLE_EXIT_USAGE;
	}
	static const struct heddle_extra waiting = {HEDDLE_METRIC_WAITING, "waiting"};
	if (metric != HEDDLE_METRIC_WAITING && profile_measurement_total(&session->measurement, HEDDLE_METRIC_BLAME)) {
		report.extras = &waiting;
		report.extra_count = 1;
	}
	int error = 0;
	if (chosen->wanted[HEDDLE_REPORT_efficiency] && session->measurement.merged)
		return heddle__complain_file(session->measurement.path, -HEDDLE_MERGED);
	heddle__report_header(&report);
	bool overview = shows_findings(chosen, traced);
	if (!chosen->wanted[HEDDLE_REPORT_blame])
		heddle__report_waiting(&report, !overview);
	if (overview)
		error = print_findings(&report, metric);
	if (error)
		return heddle__complain_file(session->measurement.path, error);
	if (metric < 0 && heddle__report_needs_metric(chosen)) {
		puts("Nothing was measured: no samples and no events. Measure longer, and without --sample-hz 0.");
		return 0;
	}
	report.metric = metric < 0 ? HEDDLE_METRIC_VISITS : (enum heddle_metric)metric;
	error = heddle__report_print_parts(&report);
	return error < 0 ? heddle__complain_file(session->measurement.path, error) : error;
}

static int print_markdown(const struct heddle_session *session, const struct heddle_report_options *chosen)
{
	static const struct heddle_traced none = {.critical_metric = -1};
	int metric = choose_metric(&session->measurement, &none, chosen);
	if (metric == -1)
		fputs("heddle: report: nothing was measured, no samples and no events: measure longer\n", stderr);
	if (metric < 0)
		return metric == -1 ? HEDDLE_EXIT_NO_VALUES : -metric;
	int error = heddle__report_markdown(session, (enum heddle_metric)metric);
	return error ? heddle__complain_file(session->measurement.path, error) : 0;
}

static int check_format(const char *format)
{
	if (!format || strcmp(format, "text") == 0 || strcmp(format, "markdown") == 0)
		return 0;
	fprintf(stderr, "heddle: report: --format: '%s' is unknown: choose one of text, markdown\n",
		heddle__shown(format));
	return HEDDLE_EXIT_USAGE;
}

/* True if the trace is needed. */
static bool reads_trace(const struct heddle_report_options *chosen)
{
	return heddle__traced_is_part(&chosen->traced) || heddle__report_reads_trace(chosen);
}

struct opening {
	struct heddle_traced *traced;
	const struct heddle_report_options *options;
};

static int open_trace(void *context, struct profile_measurement *measurement)
{
	const struct opening *opening = context;
	const struct heddle_report_options *chosen = opening->options;
	int status = reads_trace(chosen) ? heddle__traced_open(opening->traced, measurement, &chosen->traced,
						   chosen->wanted[HEDDLE_REPORT_critical])
					 : 0;
	if (!status && chosen->wanted[HEDDLE_REPORT_blame])
		status = heddle__traced_blame(opening->traced, measurement);
	return status;
}

static const struct heddle_option *option_of(const char *word)
{
	size_t length = strcspn(word, "=");
	for (const struct heddle_option *option = options; option->help; option++)
		if (strlen(option->name) == length && strncmp(option->name, word, length) == 0)
			return option;
	return NULL;
}

/* True if an option selects what text is printed, and has no effect on a page. */
static bool is_of_text(const struct heddle_option *option)
{
	static const char *const names[] = {
		"--by", "--annotate", "--format", "--thread", "--variable", "--stats", "--metric", "--min", "--depth"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(option->name, names[i]) == 0)
			return true;
	for (int part = 0; part < HEDDLE_REPORT_COUNT; part++)
		if (option->offset == offsetof(OPTIONS, given) + (size_t)part * sizeof(bool))
			return !heddle__report_parts[part]->on_page;
	return false;
}

/* Returns the first option that applies to text only; NULL: none. */
static const char *option_of_text(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const struct heddle_option *option = option_of(argv[i]);
		if (option && is_of_text(option))
			return option->name;
		if (option && option->argument && !strchr(argv[i], '='))
			i++;
	}
	return NULL;
}

/* Refuses options that apply to text only: a page has all forms and metrics. */
static int check_page(const char *path, int argc, char **argv)
{
	const char *name = option_of_text(argc, argv);
	if (!name)
		return heddle__page_check("report", path);
	fprintf(stderr, "heddle: report: %s applies to text only: leave out %s or --html\n", name, name);
	return HEDDLE_EXIT_USAGE;
}

/* True if a page of several measurements is requested: `heddle diff` writes these. */
static bool compares(int argc, char **argv)
{
	bool html = false;
	int count = 0;
	for (int i = 1; i < argc; i++) {
		const struct heddle_option *option = option_of(argv[i]);
		html |= option && strcmp(option->name, "--html") == 0;
		count += *argv[i] != '-';
		if (option && option->argument && !strchr(argv[i], '='))
			i++;
	}
	return html && count > 1;
}

static int check(const struct heddle_report_options *chosen, int argc, char **argv)
{
	if (chosen->stats && chosen->wanted[HEDDLE_REPORT_critical]) {
		fputs("heddle: report: --stats and --critical: the critical path is on one thread at a time: leave out "
		      "one of them\n",
			stderr);
		return HEDDLE_EXIT_USAGE;
	}
	int status = check_format(chosen->format);
	if (!status)
		status = heddle__terminal_options_check("report", &chosen->terminal);
	if (status)
		return status;
	status = chosen->html ? check_page(chosen->html, argc, argv) : 0;
	if (!chosen->html && chosen->sources) {
		fputs("heddle: report: --sources applies to --html only: add --html FILE\n", stderr);
		return HEDDLE_EXIT_USAGE;
	}
	if (!status)
		status = heddle__accesses_check(&chosen->accesses, heddle__traced_is_part(&chosen->traced));
	return status ? status : heddle__traced_check(&chosen->traced, reads_trace(chosen));
}

static int run(int argc, char **argv)
{
	struct heddle_report_options chosen = {.min_percent = HEDDLE_MIN_NOT_GIVEN};
	struct heddle_traced traced = {.critical_metric = -1};
	struct opening opening = {&traced, &chosen};
	const char *path;
	if (compares(argc, argv))
		return heddle__command_diff.run(argc, argv);
	int status = heddle__measurement_argument(&heddle__command_report, argc, argv, &chosen, &path);
	if (!status)
		status = heddle__source_dirs_allow("report", &chosen.directories);
	heddle__report_choose_parts(&chosen);
	if (!status)
		status = check(&chosen, argc, argv);
	if (status)
		return status;
	bool wanted = reads_trace(&chosen), blames = chosen.wanted[HEDDLE_REPORT_blame];
	struct heddle_session session;
	struct heddle_session_options how = {
		.naming.runtime_frames = chosen.runtime_frames,
		.view = {.runtime_frames = chosen.runtime_frames,
			.lines = chosen.lines,
			.fold_recursion = folds_recursion(&chosen)},
		.keep_threads = wanted || blames || chosen.html || chosen.accesses.thread ||
				chosen.wanted[HEDDLE_REPORT_efficiency] || shows_findings(&chosen, &traced),
		.prepare = wanted || blames ? open_trace : NULL,
		.prepare_context = &opening,
	};
	status = heddle__session_open(&session, path, &how);
	if (!status && blames)
		status = heddle__traced_blame_without(&traced, &session);
	if (!status) {
		status = chosen.html            ? heddle__report_page(&session, &traced, chosen.html, chosen.sources)
			 : is_markdown(&chosen) ? print_markdown(&session, &chosen)
						: print_report(&session, &traced, &chosen);
		heddle__session_close(&session);
	}
	heddle__traced_close(&traced);
	return status;
}

const struct heddle_command heddle__command_report = {
	.name = "report",
	.summary = "Show where the time went: a tree of call paths, functions, lines, threads",
	.arguments = "[DIR] | --html FILE BEFORE... -- AFTER...",
	.details = "DIR is a measurement, or one of its profile files; the default is the newest in this directory.\n"
		   "\"total\" is inclusive, \"self\" exclusive. Frames of the OpenMP runtime and of thread start are "
		   "folded\n"
		   "into the code that called them.\n"
		   "`heddle help run` explains how to record a trace.\n",
	.lists_metrics = true,
	.options = options,
	.run = run,
};
