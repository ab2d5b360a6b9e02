/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a trace for `heddle report`, and finds the requested part of the run. */
#include "cli/report/report_traced.h"

#include "analysis/critical.h"
#include "cli/base/exit_status.h"
#include "cli/base/terminal.h"
#include "profile/trace/trace_phases.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- options ---- */

/* Parses "1.2s", "300ms", "15us", "1e3us" or "40ns". */
static bool parse_time(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
	char *end;
	double value = strtod(text, &end);
	for (size_t i = 0; i < sizeof(units) / sizeof(*units) && end != text; i++) {
		if (strcmp(end, units[i].name) != 0)
			continue;
		value = round(value * units[i].ns);
		*ns = value >= 0 && value < 1e19 ? (uint64_t)value : 0;
		return value >= 0 && value < 1e19;
	}
	return false;
}

static int check_time(const char *option, const char *text)
{
	uint64_t ns;
	if (!text || parse_time(text, &ns))
		return 0;
	fprintf(stderr,
		"heddle: report: %s: '%s' is not a time since the start of the run, such as 1.2s, 300ms, 15us\n",
		option, text);
	return HEDDLE_EXIT_USAGE;
}

static int check_causal(const struct heddle_traced_options *options, bool wanted)
{
	if (!options->causal || wanted)
		return 0;
	fputs("heddle: report: --causal corrects the times of a trace: add --timeline, --late, --critical, --from, "
	      "--to or --phase\n",
		stderr);
	return HEDDLE_EXIT_USAGE;
}

int heddle__traced_check(const struct heddle_traced_options *options, bool wanted)
{
	int status = check_causal(options, wanted);
	if (!status)
		status = check_time("--from", options->from);
	if (!status)
		status = check_time("--to", options->to);
	if (status || !options->phase)
		return status;
	if (options->from || options->to) {
		fputs("heddle: report: --phase cannot be combined with --from and --to: each selects the part to "
		      "show\n",
			stderr);
		return HEDDLE_EXIT_USAGE;
	}
	return 0;
}

bool heddle__traced_is_part(const struct heddle_traced_options *options)
{
	return options->from || options->to || options->phase;
}

/* ---- progress ---- */

static void prepare_steps(struct heddle_traced *traced)
{
	traced->steps = calloc(1, sizeof(*traced->steps));
	if (!traced->steps)
		return;
	for (size_t t = 0; t < traced->trace.thread_count; t++)
		traced->steps->steps.count += traced->trace.threads[t].chunk_count;
	traced->trace.steps = &traced->steps->steps;
}

void heddle__traced_begin(const struct heddle_traced *traced)
{
	if (!traced->steps)
		return;
	heddle__progress_begin(&traced->steps->line, STDERR_FILENO, HEDDLE_PROGRESS_DELAY_MS);
	atomic_store(&traced->steps->steps.done, 0);
	traced->steps->steps.progress = &traced->steps->line.steps;
}

void heddle__traced_end(const struct heddle_traced *traced)
{
	if (!traced->steps)
		return;
	traced->steps->steps.progress = NULL;
	heddle__progress_end(&traced->steps->line);
}

/* ---- parts ---- */

static int complain_empty(const struct heddle_traced_options *options, uint64_t end_ns)
{
	char end[32];
	fprintf(stderr, "heddle: report: the part from %s to %s is outside the run, which lasts %s\n",
		options->from ? options->from : "its begin", options->to ? options->to : "its end",
		heddle__format_time(end, sizeof(end), end_ns));
	return HEDDLE_EXIT_USAGE;
}

static int select_times(struct heddle_traced *traced, struct profile_measurement *measurement,
	const struct heddle_traced_options *options)
{
	char from[32], to[32], end[32];
	struct profile_trace_part *part = &traced->part;
	uint64_t end_ns = part->to_ns;
	if (options->from)
		parse_time(options->from, &part->from_ns);
	if (options->to)
		parse_time(options->to, &part->to_ns);
	part->to_ns = part->to_ns < end_ns ? part->to_ns : end_ns;
	if (part->from_ns >= part->to_ns)
		return complain_empty(options, end_ns);
	snprintf(traced->shown, sizeof(traced->shown), "part of the run: %s to %s of %s",
		heddle__format_time(from, sizeof(from), part->from_ns),
		heddle__format_time(to, sizeof(to), part->to_ns), heddle__format_time(end, sizeof(end), end_ns));
	heddle__traced_begin(traced);
	int error = profile_trace_select(measurement, &traced->trace, part);
	heddle__traced_end(traced);
	return error ? heddle__complain_file(measurement->path, error) : 0;
}

/* Finds the time from the first begin to the last end on any thread; returns on how many threads the part began. */
static void find_hull(struct heddle_traced *traced, const struct profile_trace_parts *parts)
{
	struct profile_trace_part hull = {UINT64_MAX, 0};
	for (size_t t = 0; t < traced->trace.thread_count; t++) {
		if (!parts[t].count)
			continue;
		uint64_t from = parts[t].items[0].from_ns, to = parts[t].items[parts[t].count - 1].to_ns;
		hull.from_ns = from < hull.from_ns ? from : hull.from_ns;
		hull.to_ns = to > hull.to_ns ? to : hull.to_ns;
	}
	traced->part = hull;
}

static bool is_phase(const struct profile_call_tree *tree, const char *name)
{
	for (size_t i = 0; i < tree->node_count; i++)
		if (tree->nodes[i].kind == HEDDLE_NODE_PHASE && strcmp(tree->strings[tree->nodes[i].place], name) == 0)
			return true;
	return false;
}

/*
 * Splits "NAME#3", unless a phase has that whole name; *number 0: all occurrences. Returns NULL if memory is exhausted.
 */
static char *split_phase(const struct profile_call_tree *tree, const char *text, bool *numbered, size_t *number)
{
	const char *mark = strrchr(text, '#');
	*numbered = mark && mark[1] && strspn(mark + 1, "0123456789") == strlen(mark + 1) && !is_phase(tree, text);
	*number = *numbered ? strtoull(mark + 1, NULL, 10) : 0;
	return *numbered ? strndup(text, (size_t)(mark - text)) : strdup(text);
}

static int complain_phase(const char *name, size_t number)
{
	if (number > 1)
		fprintf(stderr, "heddle: report: --phase: no thread began phase '%s' %zu times: see --timeline\n", name,
			number);
	else
		fprintf(stderr, "heddle: report: --phase: no thread began phase '%s': see --timeline\n", name);
	return HEDDLE_EXIT_NO_VALUES;
}

static int complain_zero(const char *text)
{
	fprintf(stderr, "heddle: report: --phase: '%s': occurrences are counted from 1\n", text);
	return HEDDLE_EXIT_USAGE;
}

static int select_lists(struct profile_measurement *measurement, const struct profile_trace *trace,
	const struct profile_trace_parts *parts)
{
	struct profile_trace_part_list *lists = calloc(trace->thread_count + 1, sizeof(*lists));
	for (size_t t = 0; lists && t < trace->thread_count; t++)
		lists[t] = (struct profile_trace_part_list){parts[t].items, parts[t].count};
	int error = lists ? profile_trace_select_lists(measurement, trace, lists) : -ENOMEM;
	free(lists);
	return error;
}

static int select_parts(struct heddle_traced *traced, struct profile_measurement *measurement,
	const struct heddle_traced_options *options, struct profile_trace_parts *parts)
{
	char from[32], to[32];
	bool numbered;
	size_t number;
	char *name = split_phase(&measurement->tree, options->phase, &numbered, &number);
	if (name && numbered && !number) {
		free(name);
		return complain_zero(options->phase);
	}
	heddle__traced_begin(traced);
	int error = name ? profile_trace_phase_parts(parts, &traced->trace, name, number) : -ENOMEM;
	if (!error)
		error = select_lists(measurement, &traced->trace, parts);
	heddle__traced_end(traced);
	int status = error == -ENOENT ? complain_phase(name, number)
		     : error          ? heddle__complain_file(measurement->path, error)
				      : 0;
	free(name);
	if (status)
		return status;
	find_hull(traced, parts);
	snprintf(traced->shown, sizeof(traced->shown), "part of the run: phase %.64s, %s to %s", options->phase,
		heddle__format_time(from, sizeof(from), traced->part.from_ns),
		heddle__format_time(to, sizeof(to), traced->part.to_ns));
	return 0;
}

static int select_phase(struct heddle_traced *traced, struct profile_measurement *measurement,
	const struct heddle_traced_options *options)
{
	struct profile_trace_parts *parts = calloc(traced->trace.thread_count + 1, sizeof(*parts));
	if (!parts)
		return heddle__complain_file(measurement->path, -ENOMEM);
	int status = select_parts(traced, measurement, options, parts);
	profile_trace_parts_free(parts, traced->trace.thread_count);
	free(parts);
	return status;
}

/* ---- the critical path as a metric ---- */

static int add_critical(struct heddle_traced *traced, struct profile_measurement *measurement)
{
	heddle__traced_begin(traced);
	int error = profile_trace_critical_make(&traced->critical, &traced->trace, &traced->part);
	heddle__traced_end(traced);
	int metric = error ? error : heddle__critical_metric_add(measurement, &traced->trace, &traced->critical);
	traced->critical_metric = metric < 0 ? -1 : metric;
	return metric < 0 ? metric : 0;
}

/* ---- opening ---- */

static int complain_trace(const struct profile_measurement *measurement, char *bad_path, int error)
{
	int status = HEDDLE_EXIT_NO_VALUES;
	if (error == -ENOENT)
		fprintf(stderr, "heddle: report: %s has no trace: measure with `heddle run --trace`\n",
			heddle__shown(measurement->path));
	else
		status = heddle__complain_file(bad_path ? bad_path : measurement->path, error);
	free(bad_path);
	return status;
}

static void report_damage(const struct profile_trace *trace)
{
	for (size_t f = 0; f < trace->file_count; f++)
		if (trace->files[f].damage)
			fprintf(stderr, "heddle: %s: %s: only what precedes it is shown\n",
				heddle__shown(trace->files[f].path), trace->files[f].damage);
}

static int correct(struct heddle_traced *traced)
{
	struct profile_trace_correction correction;
	heddle__traced_begin(traced);
	int error = profile_trace_correct(&traced->trace, &correction);
	heddle__traced_end(traced);
	if (!error)
		heddle__correction_text(traced->clocks, sizeof(traced->clocks), &traced->trace, &correction);
	return error;
}

int heddle__traced_open(struct heddle_traced *traced, struct profile_measurement *measurement,
	const struct heddle_traced_options *options, bool critical)
{
	char *bad_path = NULL;
	*traced = (struct heddle_traced){.critical_metric = -1};
	int error = profile_trace_open(&traced->trace, measurement, &bad_path);
	if (error)
		return complain_trace(measurement, bad_path, error);
	traced->open = true;
	prepare_steps(traced);
	report_damage(&traced->trace);
	error = options->causal ? correct(traced) : 0;
	if (error)
		return heddle__complain_file(measurement->path, error);
	traced->part = (struct profile_trace_part){0, traced->trace.end_ns};
	traced->whole = !heddle__traced_is_part(options);
	int status = options->phase  ? select_phase(traced, measurement, options)
		     : traced->whole ? 0
				     : select_times(traced, measurement, options);
	if (status || !critical)
		return status;
	error = add_critical(traced, measurement);
	return error ? heddle__complain_file(measurement->path, error) : 0;
}

void heddle__traced_take(
	struct heddle_traced *traced, const struct profile_measurement *measurement, const char *missing)
{
	char *bad_path = NULL;
	if (traced->open)
		return;
	int error = profile_trace_open(&traced->trace, measurement, &bad_path);
	if (error && error != -ENOENT)
		fprintf(stderr, "heddle: report: %s %s: %s\n", heddle__shown(bad_path ? bad_path : measurement->path),
			heddle__file_error_text(error), missing);
	free(bad_path);
	if (error)
		return;
	traced->open = true;
	traced->whole = true;
	traced->part = (struct profile_trace_part){0, traced->trace.end_ns};
	prepare_steps(traced);
}

bool heddle__traced_is_sound(const struct heddle_traced *traced, const char *missing)
{
	bool sound = true;
	for (size_t f = 0; traced->open && f < traced->trace.file_count; f++) {
		const struct profile_trace_file *file = &traced->trace.files[f];
		if (!file->damage)
			continue;
		fprintf(stderr, "heddle: report: %s: %s: %s\n", heddle__shown(file->path), file->damage, missing);
		sound = false;
	}
	return sound;
}

void heddle__traced_close(struct heddle_traced *traced)
{
	profile_trace_critical_free(&traced->critical);
	free(traced->steps);
	if (traced->open)
		profile_trace_close(&traced->trace);
	traced->open = false;
}
