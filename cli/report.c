/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report`: where the time went, as text. */
#include "analysis/findings.h"
#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/source_dirs.h"
#include "cli/base/wrap.h"
#include "cli/report/page_file.h"
#include "cli/report/report_accesses.h"
#include "cli/report/report_page.h"
#include "cli/report/report_parts.h"
#include "cli/report/report_traced.h"

#include <stdlib.h>
#include <string.h>

struct report_options {
	struct heddle_words directories; /* of sources */
	bool tree, flat, lines, threads, messages, memory, blame, stats, runtime_frames, recursion, no_color, sources;
	const char *metric, *html;
	double min_percent;
	unsigned depth;
	struct heddle_traced_options traced;
	struct heddle_access_options accesses;
};

#define TRACED(member) (offsetof(struct report_options, traced) + offsetof(struct heddle_traced_options, member))

#define ACCESSES(member) (offsetof(struct report_options, accesses) + offsetof(struct heddle_access_options, member))

static const struct heddle_option options[] = {
	{"--tree", NULL, "call paths as a tree (the default)", HEDDLE_OPTION_FLAG,
		offsetof(struct report_options, tree)},
	{"--flat", NULL, "functions by exclusive cost", HEDDLE_OPTION_FLAG, offsetof(struct report_options, flat)},
	{"--lines", NULL, "source lines by exclusive cost; with --tree, a tree of lines", HEDDLE_OPTION_FLAG,
		offsetof(struct report_options, lines)},
	{"--threads", NULL, "what each thread spent its time on", HEDDLE_OPTION_FLAG,
		offsetof(struct report_options, threads)},
	{"--messages", NULL, "sizes of accesses to shared memory, and which went to other threads and nodes",
		HEDDLE_OPTION_FLAG, offsetof(struct report_options, messages)},
	{"--accesses", NULL, "accesses to shared memory by variable, and how long they took", HEDDLE_OPTION_FLAG,
		ACCESSES(table)},
	{"--by", "KEY",
		"--accesses by variable, line, pair, thread, or variable,line, thread,variable or pair,variable",
		HEDDLE_OPTION_TEXT, ACCESSES(by)},
	{"--annotate", "FILE", "a source file with the accesses of each line to other nodes, and their time",
		HEDDLE_OPTION_TEXT, ACCESSES(annotate)},
	{"--thread", "N", "--accesses or --annotate of one UPC thread", HEDDLE_OPTION_TEXT, ACCESSES(thread)},
	{"--variable", "NAME", "--accesses of one shared variable", HEDDLE_OPTION_TEXT, ACCESSES(variable)},
	{"--memory", NULL, "memory in use, paths that do not free it, paths that allocate most", HEDDLE_OPTION_FLAG,
		offsetof(struct report_options, memory)},
	{"--blame", NULL, "code that made others wait: lock holders, late threads, serial code", HEDDLE_OPTION_FLAG,
		offsetof(struct report_options, blame)},
	{"--timeline", NULL, "of a trace: what each thread did when", HEDDLE_OPTION_FLAG, TRACED(timeline)},
	{"--late", NULL, "of a trace: barriers, and which threads the others waited for there", HEDDLE_OPTION_FLAG,
		TRACED(late)},
	{"--critical", NULL, "of a trace: the critical path, by thread and by call path", HEDDLE_OPTION_FLAG,
		TRACED(critical)},
	{"--from", "TIME", "of a trace: only what happened since then, such as 1.2s, 300ms, 15us", HEDDLE_OPTION_TEXT,
		TRACED(from)},
	{"--to", "TIME", "of a trace: only what happened until then", HEDDLE_OPTION_TEXT, TRACED(to)},
	{"--phase", "NAME[#N]", "of a trace: only while a phase was open; its N-th time only", HEDDLE_OPTION_TEXT,
		TRACED(phase)},
	{"--html", "FILE", "write a page for a browser instead; of several measurements, as `heddle diff --html`",
		HEDDLE_OPTION_TEXT, offsetof(struct report_options, html)},
	{"--sources", NULL, "with --html: also the text of source files", HEDDLE_OPTION_FLAG,
		offsetof(struct report_options, sources)},
	HEDDLE_SOURCE_DIR_OPTION(report_options),
	{"--causal", NULL,
		"of a trace, with one of its options: correct clocks of machines where effects come before causes",
		HEDDLE_OPTION_FLAG, TRACED(causal)},
	{"--stats", NULL, "min, mean, max over threads and imbalance, in the tree and --flat", HEDDLE_OPTION_FLAG,
		offsetof(struct report_options, stats)},
	{"--metric", "NAME", "one of those below (default: cpu-time if sampled, else wall-time)", HEDDLE_OPTION_TEXT,
		offsetof(struct report_options, metric)},
	{"--min", "PCT", "hide paths and rows below this percentage of the total (default: 1; 0 in short tables)",
		HEDDLE_OPTION_PERCENT, offsetof(struct report_options, min_percent)},
	{"--depth", "N", "hide paths deeper than N levels", HEDDLE_OPTION_COUNT,
		offsetof(struct report_options, depth)},
	{"--runtime-frames", NULL, "show frames of the OpenMP runtime and of thread start", HEDDLE_OPTION_FLAG,
		offsetof(struct report_options, runtime_frames)},
	{"--recursion", NULL, "show each level of recursion, which the tree folds into one", HEDDLE_OPTION_FLAG,
		offsetof(struct report_options, recursion)},
	{"--no-color", NULL, "no colours, not even on a terminal", HEDDLE_OPTION_FLAG,
		offsetof(struct report_options, no_color)},
	{0},
};

/* Functions or lines with --blame are those to blame, unless another metric is named. */
static bool is_flat_of_blame(const struct report_options *chosen)
{
	return chosen->blame && !chosen->metric;
}

/* Whether a part that shows the metric is asked for. */
static bool shows_metric(const struct report_options *chosen)
{
	return chosen->tree || ((chosen->flat || chosen->lines) && !is_flat_of_blame(chosen)) || chosen->threads;
}

enum part {
	PART_TIMELINE,
	PART_LATE,
	PART_CRITICAL,
	PART_TREE,
	PART_FLAT,
	PART_THREADS,
	PART_MESSAGES,
	PART_ACCESSES,
	PART_ANNOTATED,
	PART_MEMORY,
	PART_BLAME,
	PARTS
};

/* The tree is shown if nothing else is, and with the critical path. */
static void choose_parts(const struct report_options *chosen, bool wanted[PARTS])
{
	bool flat = chosen->flat || (chosen->lines && !chosen->tree);
	bool flat_blame = flat && is_flat_of_blame(chosen);
	bool other = flat || chosen->threads || chosen->messages || chosen->memory || chosen->blame ||
		     heddle__accesses_are_wanted(&chosen->accesses);
	bool timed = chosen->traced.timeline || chosen->traced.late;
	wanted[PART_TIMELINE] = chosen->traced.timeline;
	wanted[PART_LATE] = chosen->traced.late;
	wanted[PART_CRITICAL] = chosen->traced.critical;
	wanted[PART_TREE] = chosen->tree || (!other && (!timed || chosen->traced.critical));
	wanted[PART_FLAT] = flat && !flat_blame;
	wanted[PART_THREADS] = chosen->threads;
	wanted[PART_MESSAGES] = chosen->messages;
	wanted[PART_ACCESSES] = chosen->accesses.table || chosen->accesses.by || chosen->accesses.variable ||
				(chosen->accesses.thread && !chosen->accesses.annotate);
	wanted[PART_ANNOTATED] = chosen->accesses.annotate;
	wanted[PART_MEMORY] = chosen->memory;
	wanted[PART_BLAME] = chosen->blame;
}

/* Inclusive values of functions are sums over unfolded paths: the tree is folded where no table has them. */
static bool folds_recursion(const struct report_options *chosen)
{
	bool wanted[PARTS];
	choose_parts(chosen, wanted);
	return !chosen->recursion && !chosen->html && !chosen->stats && wanted[PART_TREE] && !wanted[PART_FLAT] &&
	       !wanted[PART_MEMORY] && !wanted[PART_BLAME];
}

static int print_part(const struct heddle_report *report, const struct heddle_traced *traced,
	const struct report_options *chosen, enum part part)
{
	const char *what = chosen->lines ? "line" : "function";
	bool flat_blame = (chosen->flat || (chosen->lines && !chosen->tree)) && is_flat_of_blame(chosen);
	switch (part) {
	case PART_TIMELINE:
		return heddle__report_timeline(report, traced);
	case PART_LATE:
		return heddle__report_late(report, traced);
	case PART_CRITICAL:
		return heddle__report_critical(report, traced);
	case PART_FLAT:
		return heddle__report_flat(report, what);
	case PART_THREADS:
		return heddle__report_threads(report);
	case PART_MESSAGES:
		return heddle__report_messages(report);
	case PART_ACCESSES:
		return heddle__report_accesses(report, &chosen->accesses);
	case PART_ANNOTATED:
		return heddle__report_annotated(report, &chosen->accesses);
	case PART_MEMORY:
		return heddle__report_memory(report);
	case PART_BLAME:
		return heddle__report_blame(report, flat_blame ? what : NULL);
	default:
		return heddle__report_tree(report);
	}
}

/* The parts asked for, an empty line between them. */
static int print_parts(
	const struct heddle_report *report, const struct heddle_traced *traced, const struct report_options *chosen)
{
	bool wanted[PARTS], first = true;
	int error = 0;
	choose_parts(chosen, wanted);
	for (int part = 0; part < PARTS && !error; part++) {
		if (!wanted[part])
			continue;
		if (!first)
			putchar('\n');
		first = false;
		error = print_part(report, traced, chosen, part);
	}
	return error < 0 ? heddle__complain_file(report->session->measurement.path, error) : error;
}

/* Some parts bring their own metrics: they are worth printing without any other. */
static bool needs_metric(const struct report_options *chosen)
{
	bool own = chosen->messages || chosen->memory || chosen->blame || chosen->traced.timeline ||
		   chosen->traced.late || heddle__accesses_are_wanted(&chosen->accesses);
	return !own || shows_metric(chosen);
}

/* The metric to show; -1: there is none; less: an exit status, negated, after one line on standard error. */
static int choose_metric(const struct profile_measurement *measurement, const struct heddle_traced *traced,
	const struct report_options *chosen)
{
	if (chosen->metric)
		return heddle__choose_metric(measurement, chosen->metric);
	if (traced->critical_metric >= 0)
		return traced->critical_metric;
	return heddle__default_metric(measurement);
}

/* The first look at a whole run: nothing is asked for in particular. */
static bool shows_findings(const struct report_options *chosen, const struct heddle_traced *traced)
{
	bool wanted[PARTS];
	choose_parts(chosen, wanted);
	for (int part = 0; part < PARTS; part++)
		if (wanted[part] != (part == PART_TREE))
			return false;
	return !chosen->metric && !*traced->shown && !chosen->lines && !chosen->stats;
}

static int print_findings(const struct heddle_report *report)
{
	struct heddle_findings findings;
	struct heddle_capture capture;
	int error = heddle__findings_make(&findings, &report->session->measurement, &report->session->view);
	for (size_t i = 0; !error && i < findings.count; i++) {
		heddle__capture_begin(&capture);
		fputs("- ", stdout);
		heddle__print_safely(stdout, findings.items[i].text);
		putchar('\n');
		heddle__capture_end(&capture, (struct heddle_wrap){.width = report->look.width, .indent = 2});
	}
	if (!error && findings.count > 0)
		putchar('\n');
	return error;
}

static int print_report(
	const struct heddle_session *session, const struct heddle_traced *traced, const struct report_options *chosen)
{
	struct heddle_report report = {
		.session = session,
		.look = heddle__look(chosen->no_color),
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
		fputs("heddle: report: --stats: bytes-held is no thread's own (others may give back what it "
		      "allocated): "
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
	heddle__report_header(&report);
	bool first_look = shows_findings(chosen, traced);
	if (!chosen->blame)
		heddle__report_waiting(&report, !first_look);
	if (first_look)
		error = print_findings(&report);
	if (error)
		return heddle__complain_file(session->measurement.path, error);
	if (metric < 0 && needs_metric(chosen)) {
		puts("Nothing was measured: no samples and no events. Measure longer, and without --sample-hz 0.");
		return 0;
	}
	report.metric = metric < 0 ? HEDDLE_METRIC_VISITS : (enum heddle_metric)metric;
	return print_parts(&report, traced, chosen);
}

struct opening {
	struct heddle_traced *traced;
	const struct heddle_traced_options *options;
};

static int open_trace(void *context, struct profile_measurement *measurement)
{
	const struct opening *opening = context;
	return heddle__traced_open(opening->traced, measurement, opening->options);
}

static const struct heddle_option *option_of(const char *word)
{
	size_t length = strcspn(word, "=");
	for (const struct heddle_option *option = options; option->help; option++)
		if (strlen(option->name) == length && strncmp(option->name, word, length) == 0)
			return option;
	return NULL;
}

/* The first option that says what is printed and has no effect on a page; NULL: none. */
static const char *option_of_text(int argc, char **argv)
{
	static const char *const names[] = {"--tree", "--flat", "--threads", "--messages", "--accesses", "--by",
		"--annotate", "--thread", "--variable", "--memory", "--blame", "--late", "--critical", "--stats",
		"--metric", "--min", "--depth"};
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const struct heddle_option *option = option_of(argv[i]);
		for (size_t n = 0; option && n < sizeof(names) / sizeof(*names); n++)
			if (strcmp(option->name, names[n]) == 0)
				return option->name;
		if (option && option->argument && !strchr(argv[i], '='))
			i++;
	}
	return NULL;
}

/* A page has all forms and metrics. */
static int check_page(const char *path, int argc, char **argv)
{
	const char *name = option_of_text(argc, argv);
	if (!name)
		return heddle__page_check("report", path);
	fprintf(stderr, "heddle: report: %s: it is an option of text: leave out %s or --html\n", name, name);
	return HEDDLE_EXIT_USAGE;
}

/* Whether a page of several measurements is asked for: that is what `heddle diff` writes. */
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

static int check(const struct report_options *chosen, int argc, char **argv)
{
	if (chosen->stats && chosen->traced.critical) {
		fputs("heddle: report: --stats and --critical: the path is on one thread at a time: choose one of "
		      "them\n",
			stderr);
		return HEDDLE_EXIT_USAGE;
	}
	int status = chosen->html ? check_page(chosen->html, argc, argv) : 0;
	if (!chosen->html && chosen->sources) {
		fputs("heddle: report: --sources: it is an option of --html FILE\n", stderr);
		return HEDDLE_EXIT_USAGE;
	}
	if (!status)
		status = heddle__accesses_check(&chosen->accesses, heddle__traced_is_part(&chosen->traced));
	return status ? status : heddle__traced_check(&chosen->traced);
}

static int run(int argc, char **argv)
{
	struct report_options chosen = {.min_percent = HEDDLE_MIN_NOT_GIVEN};
	struct heddle_traced traced = {.critical_metric = -1};
	struct opening opening = {&traced, &chosen.traced};
	const char *path;
	if (compares(argc, argv))
		return heddle__command_diff.run(argc, argv);
	int status = heddle__measurement_argument(&heddle__command_report, argc, argv, &chosen, &path);
	if (!status)
		status = heddle__source_dirs_allow("report", &chosen.directories);
	if (!status)
		status = check(&chosen, argc, argv);
	if (status)
		return status;
	bool wanted = heddle__traced_is_wanted(&chosen.traced);
	struct heddle_session session;
	struct heddle_session_options how = {
		.naming.runtime_frames = chosen.runtime_frames,
		.view = {.runtime_frames = chosen.runtime_frames,
			.lines = chosen.lines,
			.fold_recursion = folds_recursion(&chosen)},
		.keep_threads = wanted || chosen.html || chosen.accesses.thread,
		.prepare = wanted ? open_trace : NULL,
		.prepare_context = &opening,
	};
	status = heddle__session_open(&session, path, &how);
	if (!status) {
		status = chosen.html ? heddle__report_page(&session, &traced, chosen.html, chosen.sources)
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
		   "What needs a trace says so: `heddle help run` tells how to record one.\n",
	.lists_metrics = true,
	.options = options,
	.run = run,
};
