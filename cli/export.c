/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle export`: a measurement in another tool's format. */
#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/output_file.h"
#include "cli/base/output_filter.h"
#include "cli/base/progress.h"
#include "cli/base/session.h"
#include "cli/base/terminal.h"
#include "cli/clock_correction.h"
#include "export/formats.h"
#include "profile/base/errors.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct export_options {
	const char *format, *metric, *output;
	bool runtime_frames, lines, causal;
};

static const struct heddle_option options[] = {
	{"--format", "NAME", "one of the formats below (default: folded)", HEDDLE_OPTION_TEXT,
		offsetof(struct export_options, format)},
	{"--metric", "NAME", "see --metric help (default: all; folded: samples)", HEDDLE_OPTION_TEXT,
		offsetof(struct export_options, metric)},
	{"-o", "FILE", "write to this file instead of standard output (otf2: a directory)", HEDDLE_OPTION_TEXT,
		offsetof(struct export_options, output)},
	{"--lines", NULL, "source lines instead of functions", HEDDLE_OPTION_FLAG,
		offsetof(struct export_options, lines)},
	{"--runtime-frames", NULL, "include frames of the OpenMP runtime and of thread start", HEDDLE_OPTION_FLAG,
		offsetof(struct export_options, runtime_frames)},
	{"--causal", NULL, "traces: correct clocks of machines where effects precede causes", HEDDLE_OPTION_FLAG,
		offsetof(struct export_options, causal)},
	{0},
};

static const struct export_format *choose_format(const char *name)
{
	const struct export_format *format = export_find(name);
	if (format)
		return format;
	fprintf(stderr, "heddle: export: --format: '%s' is unknown: choose one of ", name);
	for (size_t i = 0; export_formats[i]; i++)
		fprintf(stderr, "%s%s", i ? ", " : "", export_formats[i]->name);
	fputc('\n', stderr);
	return NULL;
}

static int complain_output(const char *path, int error)
{
	fprintf(stderr, "heddle: export: can't write %s: %s: choose another with -o FILE\n",
		path ? heddle__shown(path) : "standard output", strerror(error));
	return HEDDLE_EXIT_OUTPUT;
}

static int complain_exists(const char *path)
{
	fprintf(stderr, "heddle: export: %s exists: choose another with -o FILE, or remove it\n", heddle__shown(path));
	return HEDDLE_EXIT_OUTPUT;
}

/* Nothing is overwritten, as with other output of this command; devices and pipes have no contents. */
static int check_output(const struct export_format *format, const char *path)
{
	struct stat status;
	if (format->missing) {
		fprintf(stderr, "heddle: export: --format %s: Heddle was built without %s: rebuild it with that\n",
			format->name, format->missing);
		return HEDDLE_EXIT_FAILED;
	}
	if (format->output != EXPORT_STREAM && !path) {
		bool file = format->output == EXPORT_FILE;
		fprintf(stderr, "heddle: export: --format %s writes a %s: name it with -o %s\n", format->name,
			file ? "file of its own" : "directory", file ? "FILE" : "DIRECTORY");
		return HEDDLE_EXIT_USAGE;
	}
	if (!path || stat(path, &status) != 0 || (format->output == EXPORT_STREAM && !S_ISREG(status.st_mode)))
		return 0;
	return complain_exists(path);
}

static int finish(const struct export_request *request, int error)
{
	return error < 0   ? heddle__complain_file(request->measurement->path, error)
	       : error > 0 ? complain_output(request->path, error)
			   : 0;
}

/* Standard output may be the terminal; then no progress is shown. */
static int call(const struct export_format *format, struct export_request *request)
{
	struct heddle_progress progress;
	heddle__progress_begin(&progress, STDERR_FILENO, HEDDLE_PROGRESS_DELAY_MS);
	request->progress = request->path ? &progress.steps : NULL;
	int error = format->write(request);
	heddle__progress_end(&progress);
	return error;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

/*
 * Removes an incomplete archive, which is useless and would prevent another try. Its directory is new: check_output().
 */
static int write_own(const struct export_format *format, struct export_request *request)
{
	int error = call(format, request);
	if (error && format->output == EXPORT_DIRECTORY)
		nftw(request->path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	return finish(request, error);
}

static int write_to(const struct export_format *format, struct export_request *request)
{
	const char *path = request->path;
	if (format->output != EXPORT_STREAM)
		return write_own(format, request);
	errno = 0;
	request->out = path ? heddle__output_file_create(path) : heddle__output_filter_raw();
	if (!request->out)
		return complain_output(path, errno);
	int error = call(format, request);
	int why = path ? heddle__output_file_close(request->out, path, error) : heddle__output_file_flush(request->out);
	if (!path)
		clearerr(request->out);
	return error ? finish(request, error) : why ? complain_output(path, why) : 0;
}

/* ---- traces ---- */

static int complain_trace(const struct export_format *format, const char *path, int error, char *bad_path)
{
	int status = HEDDLE_EXIT_NO_VALUES;
	if (error == -ENOENT)
		fprintf(stderr,
			"heddle: export: %s has no trace, which --format %s needs: measure with `heddle run --trace`\n",
			heddle__shown(path), format->name);
	else
		status = heddle__complain_file(bad_path ? bad_path : path, error);
	free(bad_path);
	return status;
}

/* Reports parts of the trace that could not be read, and are missing in the output. */
static void report_damage(const struct profile_trace *trace)
{
	for (size_t i = 0; i < trace->file_count; i++)
		if (trace->files[i].damage)
			fprintf(stderr, "heddle: export: %s: %s: exported up to that point\n",
				heddle__shown(trace->files[i].path), heddle__shown(trace->files[i].damage));
}

static int correct(struct profile_trace *trace)
{
	struct profile_trace_correction correction;
	char text[HEDDLE_CORRECTION_TEXT];
	int error = profile_trace_correct(trace, &correction);
	if (error)
		return error;
	heddle__correction_text(text, sizeof(text), trace, &correction);
	fprintf(stderr, "heddle: export: %s\n", text);
	return 0;
}

/* Readers of OTF2 refuse an archive without a thread. */
static int complain_threadless(const char *path)
{
	fprintf(stderr, "heddle: export: the trace of %s has no thread: the program ended before one was recorded\n",
		heddle__shown(path));
	return HEDDLE_EXIT_NO_VALUES;
}

static int write_trace(const struct export_format *format, struct export_request *request, bool causal)
{
	struct profile_trace trace;
	char *bad_path = NULL;
	int error = profile_trace_open(&trace, request->measurement, &bad_path);
	if (error)
		return complain_trace(format, request->measurement->path, error, bad_path);
	request->trace = &trace;
	int status;
	if (!trace.thread_count)
		status = complain_threadless(request->measurement->path);
	else if (causal && (error = correct(&trace)))
		status = heddle__complain_file(request->measurement->path, error);
	else
		status = write_to(format, request);
	report_damage(&trace);
	request->trace = NULL;
	profile_trace_close(&trace);
	return status;
}

/* Most measurements have no trace. A trace that cannot be read is reported, and the output is written without it. */
static int write_with_trace(const struct export_format *format, struct export_request *request,
	const struct export_options *chosen,
	int (*write)(const struct export_format *, struct export_request *, const struct export_options *))
{
	struct profile_trace trace;
	char *bad_path = NULL;
	int error = profile_trace_open(&trace, request->measurement, &bad_path);
	if (error && error != -ENOENT)
		fprintf(stderr, "heddle: export: %s %s: exported without the trace\n",
			heddle__shown(bad_path ? bad_path : request->measurement->path),
			heddle__file_error_text(error));
	free(bad_path);
	request->trace = error ? NULL : &trace;
	int status = write(format, request, chosen);
	request->trace = NULL;
	if (!error) {
		report_damage(&trace);
		profile_trace_close(&trace);
	}
	return status;
}

/* ---- all formats ---- */

/* Measurements with events only have no samples, but times. */
static const char *default_metric(const struct profile_measurement *measurement)
{
	bool sampled = profile_measurement_total(measurement, HEDDLE_METRIC_SAMPLES) != 0;
	bool timed = profile_measurement_total(measurement, HEDDLE_METRIC_WALL_TIME) != 0;
	return !sampled && timed ? "wall-time" : "samples";
}

static int write_metric(
	const struct export_format *format, struct export_request *request, const struct export_options *chosen)
{
	int metric = heddle__choose_metric(
		request->measurement, chosen->metric ? chosen->metric : default_metric(request->measurement));
	request->metric = (enum heddle_metric)metric;
	return metric < 0 ? -metric : write_to(format, request);
}

static int write_metrics(
	const struct export_format *format, struct export_request *request, const struct export_options *chosen)
{
	enum heddle_metric list[HEDDLE_METRIC_LIMIT];
	struct export_request all = *request;
	all.metrics = list;
	all.metric_count = chosen->metric ? 0 : heddle__list_metrics(all.measurement, list);
	if (all.metric_count)
		return write_to(format, &all);
	all.metrics = &all.metric;
	all.metric_count = 1;
	return write_metric(format, &all, chosen);
}

static int export_session(const struct export_format *format, const struct export_options *chosen, const char *path,
	const struct heddle_session *session)
{
	struct export_request request = {
		.measurement = &session->measurement,
		.view = &session->view,
		.naming = &session->naming,
		.version = HEDDLE_VERSION,
		.path = chosen->output,
	};
	if (format->needs_threads && session->measurement.merged)
		return heddle__complain_file(path, -HEDDLE_MERGED);
	if (format->needs_trace)
		return write_trace(format, &request, chosen->causal);
	int (*write)(const struct export_format *, struct export_request *, const struct export_options *) =
		format->several_metrics ? write_metrics : write_metric;
	if (format->uses_trace && !session->measurement.merged)
		return write_with_trace(format, &request, chosen, write);
	return write(format, &request, chosen);
}

/* True if the output is a regular file or directory, not a pipe or this process's own output. */
static bool is_kept(const char *path)
{
	struct stat file;
	return path && strncmp(path, "/dev/", 5) != 0 && stat(path, &file) == 0 &&
	       (S_ISREG(file.st_mode) || S_ISDIR(file.st_mode));
}

static int export(const char *path, const struct export_options *chosen)
{
	const struct export_format *format = choose_format(chosen->format ? chosen->format : "folded");
	if (!format)
		return HEDDLE_EXIT_USAGE;
	if (chosen->causal && !format->needs_trace) {
		fprintf(stderr, "heddle: export: --causal corrects the times of a trace: --format %s has none\n",
			format->name);
		return HEDDLE_EXIT_USAGE;
	}
	if (chosen->metric && format->needs_trace) {
		fprintf(stderr, "heddle: export: --metric selects values of a profile: --format %s has none\n",
			format->name);
		return HEDDLE_EXIT_USAGE;
	}
	int status = check_output(format, chosen->output);
	if (status)
		return status;
	struct heddle_session session;
	struct heddle_session_options how = {
		.keep_threads = format->needs_threads || format->uses_threads,
		.naming.runtime_frames = chosen->runtime_frames,
		.view = {.runtime_frames = chosen->runtime_frames, .lines = chosen->lines},
	};
	status = heddle__session_open(&session, path, &how);
	if (status)
		return status;
	status = export_session(format, chosen, path, &session);
	heddle__session_close(&session);
	if (!status && is_kept(chosen->output))
		printf("heddle: export: %s: %s\n", heddle__shown(chosen->output), format->next);
	return status;
}

static int run(int argc, char **argv)
{
	struct export_options chosen = {0};
	const char *path;
	int status = heddle__measurement_argument(&heddle__command_export, argc, argv, &chosen, &path);
	if (status)
		return status;
	return export(path, &chosen);
}

const struct heddle_command heddle__command_export = {
	.name = "export",
	.summary = "Convert a measurement or its trace for other tools",
	.arguments = "[DIR]",
	.details = "DIR is a measurement, or one of its profile files; the default is the newest in this directory.\n"
		   "Values are exclusive. Formats of traces need a measurement with a trace, and take no --metric.\n",
	.lists_metrics = true,
	.lists_formats = true,
	.options = options,
	.run = run,
};
