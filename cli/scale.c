/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle scale`: what limits the scaling of a program, from measurements at several numbers of threads, which this
 * command can make.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/text.h"
#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/session.h"
#include "cli/base/terminal_options.h"
#include "cli/base/words.h"
#include "cli/base/wrap.h"
#include "cli/report/page_file.h"
#include "cli/report/scale_parts.h"
#include "cli/run/launch.h"
#include "cli/scale/scale_runs.h"
#include "export/extrap.h"

struct scale_options {
	bool weak;
	const char *size, *metric, *at, *format, *html;
	const char *run, *launcher, *run_options, *output;
	unsigned repeat, seconds;
	struct heddle_words expected;
	double min_percent, narrow_percent;
	struct heddle_terminal_options terminal;
};

static const struct heddle_option options[] = {
	{"--run", "SCALES",
		"make the runs first: \"-n 1,2 -t 1,2\" sets UPC threads or ranks, and OpenMP threads of each",
		HEDDLE_OPTION_TEXT, offsetof(struct scale_options, run)},
	{"--repeat", "N", "with --run: at most N runs of each (default: 3)", HEDDLE_OPTION_COUNT,
		offsetof(struct scale_options, repeat)},
	{"--narrow", "PCT", "with --run: from 3 runs on, stop when the mean is known to PCT % (default: 1)",
		HEDDLE_OPTION_PERCENT, offsetof(struct scale_options, narrow_percent)},
	{"--seconds", "N", "with --run: limit the time of all runs of a combination", HEDDLE_OPTION_COUNT,
		offsetof(struct scale_options, seconds)},
	{"--launcher", "COMMAND", "with --run: command that starts %n ranks (MPI: \"mpirun -np %n\")",
		HEDDLE_OPTION_TEXT, offsetof(struct scale_options, launcher)},
	{"--run-options", "OPTIONS", "with --run: options of heddle run", HEDDLE_OPTION_TEXT,
		offsetof(struct scale_options, run_options)},
	{"-o", "DIR", "with --run: a new directory for the measurements (default: scale-PROGRAM-PID)",
		HEDDLE_OPTION_TEXT, offsetof(struct scale_options, output)},
	{"--weak", NULL, "weak scaling: the work grows with the threads", HEDDLE_OPTION_FLAG,
		offsetof(struct scale_options, weak)},
	{"--size", "NAME=N,N,...", "a parameter instead of the number of threads, one value for each RUN",
		HEDDLE_OPTION_TEXT, offsetof(struct scale_options, size)},
	{"--at", "N", "predict for this scale (default: twice the largest)", HEDDLE_OPTION_TEXT,
		offsetof(struct scale_options, at)},
	{"--expect", "NAME=LAW", "exit with status 8 if the time of NAME grows faster than LAW, such as \"cg=1/p\"",
		HEDDLE_OPTION_LIST, offsetof(struct scale_options, expected)},
	{"--metric", "NAME", "see --metric help (default: wall-time)", HEDDLE_OPTION_TEXT,
		offsetof(struct scale_options, metric)},
	{"--min", "PCT", "hide paths below this percentage of the total (default: 1)", HEDDLE_OPTION_PERCENT,
		offsetof(struct scale_options, min_percent)},
	{"--format", "FORMAT", "text (the default), json, or extrap: lines of JSON for Extra-P", HEDDLE_OPTION_TEXT,
		offsetof(struct scale_options, format)},
	{"--html", "FILE", "write an HTML page instead: curves with measured points", HEDDLE_OPTION_TEXT,
		offsetof(struct scale_options, html)},
	HEDDLE_TERMINAL_OPTIONS(scale_options),
	{0},
};

/* ---- options ---- */

/* Identifies a run by its first process. */
struct identity {
	uint64_t start_unix_ns, pid;
	char *host;
};

struct work {
	struct scale_options chosen;
	const char **paths;
	int count;
	double *sizes;               /* by run; 0: the number of threads */
	struct identity *identities; /* by run */
	char *size_name;
	struct heddle_scale_runs runs; /* of --run */
	struct heddle_scale_report report;
};

static int complain(const char *what, const char *value, const char *remedy)
{
	fprintf(stderr, "heddle: scale: %s '%s' %s\n", what, heddle__shown(value), remedy);
	return HEDDLE_EXIT_USAGE;
}

/* Reads "n=100,200,400". */
static int read_sizes(struct work *work)
{
	const char *text = work->chosen.size, *equals = text ? strchr(text, '=') : NULL;
	work->report.of_scale = "threads";
	if (!text)
		return 0;
	if (!equals || equals == text)
		return complain("--size", text, "is not NAME=N,N,... with one number for each RUN");
	work->size_name = strndup(text, (size_t)(equals - text));
	if (!work->size_name)
		return HEDDLE_EXIT_FAILED;
	char *at = (char *)equals;
	int found = 0;
	for (; (*at == '=' || *at == ',') && found < work->count; found++) {
		work->sizes[found] = strtod(at + 1, &at);
		if (!(work->sizes[found] > 0 && work->sizes[found] < 1e300))
			break;
	}
	if (*at != '\0' || found != work->count)
		return complain("--size", text, "needs one positive number for each RUN");
	work->report.of_scale = work->size_name;
	work->report.scaling.own_scale = true;
	return 0;
}

static int read_at(struct work *work)
{
	char *end;
	if (!work->chosen.at)
		return 0;
	work->report.at = strtod(work->chosen.at, &end);
	if (end == work->chosen.at || *end != '\0' || !(work->report.at > 0 && work->report.at < 1e300))
		return complain("--at", work->chosen.at, "is not a positive number");
	return 0;
}

static int read_format(struct work *work)
{
	const char *format = work->chosen.format ? work->chosen.format : "text";
	work->chosen.format = format;
	if (strcmp(format, "text") == 0 || strcmp(format, "json") == 0 || strcmp(format, "extrap") == 0)
		return 0;
	return complain("--format", format, "is unknown: choose one of text, json, extrap");
}

static int check_expected(const struct work *work)
{
	struct heddle_term term;
	for (size_t i = 0; i < work->chosen.expected.count; i++) {
		const char *text = work->chosen.expected.at[i], *equals = strrchr(text, '=');
		if (!equals || equals == text || !heddle__term_read(&term, equals + 1))
			return complain("--expect", text,
				"is not NAME=LAW; a law is such as 1, 1/p, log p, sqrt p, p, p log p, p^2");
	}
	return 0;
}

/* For --run: the arguments are those of a program. */
static int read_runs(struct work *work)
{
	const struct scale_options *chosen = &work->chosen;
	struct heddle_scale_runs *runs = &work->runs;
	if (!chosen->run)
		return chosen->launcher || chosen->run_options || chosen->output || chosen->seconds
			       ? complain("--launcher, --run-options, --seconds, -o:", "--run", "is missing")
			       : 0;
	if (chosen->size)
		return complain("--size", chosen->size, "applies only to existing runs");
	*runs = (struct heddle_scale_runs){
		.plan = {.repeat = chosen->repeat, .narrow = chosen->narrow_percent / 100, .seconds = chosen->seconds},
		.launcher = chosen->launcher,
		.run_options = chosen->run_options,
		.output = chosen->output,
		.arguments = work->paths};
	int error = heddle__plan_read(&runs->plan, chosen->run);
	if (error == -ENOMEM)
		return HEDDLE_EXIT_FAILED;
	return error ? complain("--run", chosen->run, "is not such as \"-n 1,2,4 -t 1,2\", each number once") : 0;
}

static int parse(int argc, char **argv, struct work *work)
{
	int status =
		heddle__options_parse(&heddle__command_scale, argc, argv, &work->chosen, work->paths, &work->count);
	if (status)
		return status;
	if (work->count == 0) {
		fprintf(stderr, "heddle: scale: %s; see: heddle scale --help\n",
			work->chosen.run ? "a program is needed: heddle scale --run \"-t 1,2\" -- PROGRAM"
					 : "measurements are needed: heddle scale RUN...");
		return HEDDLE_EXIT_USAGE;
	}
	work->report.scaling.weak = work->chosen.weak;
	status = read_sizes(work);
	if (!status)
		status = read_at(work);
	if (!status)
		status = read_format(work);
	if (!status)
		status = heddle__terminal_options_check("scale", &work->chosen.terminal);
	if (!status && work->chosen.html)
		status = heddle__page_check("scale", work->chosen.html);
	if (!status)
		status = read_runs(work);
	return status ? status : check_expected(work);
}

/* ---- the runs ---- */

static int choose_metric(struct work *work, const struct heddle_session *session)
{
	static const enum heddle_metric preferred[] = {
		HEDDLE_METRIC_WALL_TIME, HEDDLE_METRIC_CPU_TIME, HEDDLE_METRIC_SAMPLES, HEDDLE_METRIC_VISITS};
	if (work->chosen.metric)
		return heddle__choose_metric(&session->measurement, work->chosen.metric);
	for (size_t i = 0; i < sizeof(preferred) / sizeof(*preferred); i++)
		if (profile_measurement_total(&session->measurement, preferred[i]))
			return (int)preferred[i];
	return heddle__choose_metric(&session->measurement, "wall-time");
}

/* Refuses a run that is given twice, which would make intervals too narrow. */
static int refuse_repeated(struct work *work, int i, const struct profile_measurement *measurement)
{
	struct identity *own = &work->identities[i];
	for (size_t p = 0; p < measurement->process_count && !own->host; p++) {
		const Heddle__Profile__Process *info =
			measurement->processes[p].error ? NULL : measurement->processes[p].info;
		if (info && info->start_unix_ns)
			*own = (struct identity){info->start_unix_ns, (uint64_t)info->pid, strdup(info->host)};
	}
	for (int j = 0; own->host && j < i; j++) {
		const struct identity *other = &work->identities[j];
		if (!other->host || own->start_unix_ns != other->start_unix_ns || own->pid != other->pid ||
			strcmp(own->host, other->host) != 0)
			continue;
		fprintf(stderr, "heddle: scale: %s and ", heddle__shown(work->paths[j]));
		fprintf(stderr, "%s are the same run: name each run once\n", heddle__shown(work->paths[i]));
		return HEDDLE_EXIT_USAGE;
	}
	return 0;
}

static int add_run(struct work *work, int i)
{
	struct heddle_session session;
	struct heddle_session_options how = {.keep_threads = true};
	struct heddle_scaling *scaling = &work->report.scaling;
	int status = heddle__session_open(&session, work->paths[i], &how);
	if (status)
		return status;
	status = refuse_repeated(work, i, &session.measurement);
	if (status) {
		heddle__session_close(&session);
		return status;
	}
	int metric = i == 0 ? choose_metric(work, &session) : (int)scaling->metric;
	if (i > 0 && !profile_measurement_total(&session.measurement, scaling->metric))
		metric = heddle__choose_metric(&session.measurement, profile_metric_name(scaling->metric));
	if (metric >= 0) {
		scaling->metric = (enum heddle_metric)metric;
		int error = heddle__scaling_add(scaling, &session.measurement, &session.view, work->sizes[i]);
		status = error ? heddle__complain_file(work->paths[i], error) : 0;
	}
	if (metric >= 0 && !status && !(scaling->runs[scaling->run_count - 1].scale > 0)) {
		fprintf(stderr, "heddle: scale: %s has no threads with time: measure longer\n",
			heddle__shown(work->paths[i]));
		status = HEDDLE_EXIT_NO_VALUES;
	}
	heddle__session_close(&session);
	return metric < 0 ? -metric : status;
}

/* Makes the runs, and replaces the program's arguments by them. */
static int make_runs(struct work *work)
{
	const struct heddle_words *made = &work->runs.made;
	int status = heddle__scale_runs_make(&work->runs);
	if (status)
		return status;
	free(work->paths);
	free(work->sizes);
	free(work->identities);
	work->count = (int)made->count;
	work->paths = calloc(made->count + 1, sizeof(*work->paths));
	work->sizes = calloc(made->count + 1, sizeof(*work->sizes));
	work->identities = calloc(made->count + 1, sizeof(*work->identities));
	if (!work->paths || !work->sizes || !work->identities || made->failed)
		return HEDDLE_EXIT_FAILED;
	for (size_t i = 0; i < made->count; i++)
		work->paths[i] = made->at[i];
	return 0;
}

static int add_runs(struct work *work)
{
	struct heddle_scaling *scaling = &work->report.scaling;
	int status = work->chosen.run ? make_runs(work) : 0;
	for (int i = 0; !status && i < work->count; i++)
		status = add_run(work, i);
	if (!status && heddle__scaling_finish(scaling) != 0)
		status = HEDDLE_EXIT_FAILED;
	if (!status && !work->chosen.at)
		work->report.at = 2 * scaling->points[scaling->point_count - 1].scale;
	return status;
}

/* ---- printing ---- */

/* Returns the innermost path that has most of the total loss. */
static uint32_t worst_path(const struct heddle_scaling *scaling)
{
	const struct heddle_comparison *all = &scaling->comparison;
	double loss = heddle__scaling_path(scaling, 0).loss;
	uint32_t worst = 0;
	for (uint32_t i = 1; i < all->count; i++) /* parents precede their children */
		if (all->paths[i].parent == worst && heddle__scaling_path(scaling, i).loss > 0.6 * loss)
			worst = i;
	return worst;
}

static void print_loss(const struct heddle_scaling *scaling, const struct heddle_scaling_point *first,
	const struct heddle_scaling_point *last)
{
	double loss = heddle__scaling_path(scaling, 0).loss;
	uint32_t worst = loss > 0 ? worst_path(scaling) : 0;
	printf("From %g to %g threads the speed-up is %.2f, which is %.1f %% of ideal.", first->scale, last->scale,
		last->speedup, 100 * last->efficiency);
	if (loss >= 0.01)
		printf(" Of the threads' time at %g, %.1f %% is beyond ideal", last->scale, 100 * loss);
	if (loss >= 0.01 && worst) {
		printf(", %.1f %% in `", 100 * heddle__scaling_path(scaling, worst).loss);
		heddle__print_safely(stdout, scaling->comparison.paths[worst].text);
		putchar('`');
	}
	fputs(loss >= 0.01 ? "." : "", stdout);
}

static void print_head(const struct work *work)
{
	const struct heddle_scale_report *report = &work->report;
	const struct heddle_scaling *scaling = &report->scaling;
	const struct heddle_scaling_point *first = &scaling->points[0],
					  *last = &scaling->points[scaling->point_count - 1];
	struct heddle_capture capture;
	heddle__capture_begin(&capture);
	heddle__print_safely(stdout, scaling->comparison.paths[0].text);
	printf(", %zu run%s at %zu scale%s, %s, %s\n\n", scaling->run_count, scaling->run_count == 1 ? "" : "s",
		scaling->scale_count, scaling->scale_count == 1 ? "" : "s",
		scaling->own_scale ? "by a parameter"
		: scaling->weak    ? "weak scaling"
				   : "strong scaling",
		profile_metric_name(scaling->metric));
	if (scaling->scale_count < 2)
		printf("There is only one scale, %g (%s): nothing to compare.", first->scale, report->of_scale);
	else if (!scaling->own_scale)
		print_loss(scaling, first, last);
	heddle__scale_outlook(report);
	fputs(scaling->scale_count < 2 || !scaling->own_scale || report->law_count ? "\n\n" : "\n", stdout);
	heddle__capture_end(&capture, (struct heddle_wrap){.width = report->terminal.width});
}

static int print_all(struct work *work)
{
	if (strcmp(work->chosen.format, "extrap") == 0)
		return export_extrap(stdout, &work->report.scaling, work->size_name ? work->size_name : "p");
	int error = heddle__scale_laws_make(&work->report);
	if (error)
		return error;
	if (strcmp(work->chosen.format, "json") == 0)
		return heddle__scale_json(&work->report);
	print_head(work);
	error = heddle__scale_points(&work->report);
	if (work->report.scaling.scale_count > 1) {
		putchar('\n');
		error = error ? error : heddle__scale_tree(&work->report);
		heddle__scale_laws(&work->report);
	}
	return error;
}

/* Returns true if NAME grows faster than its law; prints a line about it. */
static bool exceeds(struct work *work, const char *text, int *status)
{
	struct heddle_scaling *scaling = &work->report.scaling;
	const char *equals = strrchr(text, '=');
	char *name = strndup(text, (size_t)(equals - text)), found_text[48], wanted_text[48];
	struct heddle_term wanted, found;
	struct heddle_model model;
	bool worse = false;
	heddle__term_read(&wanted, equals + 1);
	if (!name || !heddle__scaling_named(scaling, name, scaling->values)) {
		*status = complain("--expect", text, "names no function, phase or region of these measurements");
	} else {
		heddle__scaling_model(scaling, scaling->values, &model);
		found = heddle__model_leading(&model);
		worse = model.count && heddle__term_compare(&found, &wanted) > 0;
		if (model.count)
			fprintf(worse ? stderr : stdout, "%s%s: expected %s, found %s\n", worse ? "heddle: " : "", name,
				heddle__term_format(wanted_text, sizeof(wanted_text), &wanted),
				heddle__term_format(found_text, sizeof(found_text), &found));
		else
			fprintf(stderr, "heddle: %s: no law is known: measure at two scales or more\n", name);
	}
	free(name);
	return worse;
}

static int check(struct work *work)
{
	int status = 0;
	bool worse = false;
	for (size_t i = 0; !status && i < work->chosen.expected.count; i++)
		worse |= exceeds(work, work->chosen.expected.at[i], &status);
	return status ? status : worse ? HEDDLE_EXIT_WORSE : 0;
}

static void free_work(struct work *work)
{
	heddle__scaling_free(&work->report.scaling);
	free(work->report.laws);
	heddle__words_free(&work->chosen.expected);
	heddle__words_free(&work->runs.made);
	heddle__plan_free(&work->runs.plan);
	free(work->size_name);
	for (int i = 0; work->identities && i < work->count; i++)
		free(work->identities[i].host);
	free(work->identities);
	free(work->paths);
	free(work->sizes);
}

static int report(struct work *work)
{
	int error, status;
	work->report.min_percent = work->chosen.min_percent;
	if (work->chosen.html) {
		error = heddle__scale_laws_make(&work->report);
		status = error ? 0 : heddle__scale_page(&work->report, work->chosen.html, work->paths[0]);
	} else {
		work->report.terminal = heddle__terminal_begin(&work->chosen.terminal);
		error = print_all(work);
		status = 0;
	}
	if (error)
		status = heddle__complain_file(work->paths[0], error);
	status = status ? status : check(work);
	return status || !work->runs.failed ? status : HEDDLE_EXIT_FAILED;
}

static int run(int argc, char **argv)
{
	static struct work work;
	work.chosen.min_percent = 1;
	work.chosen.repeat = 3;
	work.chosen.narrow_percent = 1;
	work.paths = calloc((size_t)argc + 1, sizeof(*work.paths));
	work.sizes = calloc((size_t)argc + 1, sizeof(*work.sizes));
	work.identities = calloc((size_t)argc + 1, sizeof(*work.identities));
	int status = work.paths && work.sizes && work.identities ? parse(argc, argv, &work) : HEDDLE_EXIT_FAILED;
	if (!status)
		status = add_runs(&work);
	if (!status)
		status = report(&work);
	int signal = work.runs.signal;
	free_work(&work);
	return signal ? heddle__launch_end_like(signal) : status;
}

const struct heddle_command heddle__command_scale = {
	.name = "scale",
	.summary = "Show what keeps a program from scaling, from runs at several scales",
	.arguments = "RUN... | --run SCALES [--] PROGRAM [ARGUMENT]...",
	.details = "Each RUN is a measurement of the same program, at different numbers of ranks or threads; several "
		   "of each give\n"
		   "confidence intervals. `loss %` is the time beyond ideal, as a share of the total at the largest "
		   "scale.\n"
		   "Each function that matters gets a law of its time by the scale: docs/scaling.md.\n",
	.exit_status =
		"0; 1 to 7 after an error (1 if one of the runs of --run failed): heddle(1) lists them; 8 by --expect",
	.lists_metrics = true,
	.options = options,
	.run = run,
};
