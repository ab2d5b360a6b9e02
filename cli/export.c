/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle export`: a measurement in another tool's format. */
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/session.h"
#include "export/formats.h"
#include "profile/errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct export_options {
	const char *format, *metric, *output;
	bool runtime_frames, lines;
};

static const struct heddle_option options[] = {
	{"--format", "NAME", "one of the formats below (when not given: folded)", HEDDLE_OPTION_TEXT,
		offsetof(struct export_options, format)},
	{"--metric", "NAME", "one of those below (default: samples; without sampling wall-time)", HEDDLE_OPTION_TEXT,
		offsetof(struct export_options, metric)},
	{"-o", "FILE", "write there instead of to standard output", HEDDLE_OPTION_TEXT,
		offsetof(struct export_options, output)},
	{"--lines", NULL, "source lines instead of functions", HEDDLE_OPTION_FLAG,
		offsetof(struct export_options, lines)},
	{"--runtime-frames", NULL, "with frames of the OpenMP runtime and of thread start", HEDDLE_OPTION_FLAG,
		offsetof(struct export_options, runtime_frames)},
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
		path ? path : "standard output", strerror(error));
	return HEDDLE_EXIT_OUTPUT;
}

/* Nothing is overwritten, as with other output of this command; devices and pipes hold nothing. */
static int check_output(const char *path)
{
	struct stat status;
	if (!path || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return 0;
	fprintf(stderr, "heddle: export: %s exists: choose another with -o FILE, or remove it\n", path);
	return HEDDLE_EXIT_OUTPUT;
}

static int write_to(const struct export_format *format, struct export_request *request, const char *path)
{
	errno = 0;
	request->out = path ? fopen(path, "we") : stdout;
	if (!request->out)
		return complain_output(path, errno);
	int error = format->write(request);
	errno = 0;
	bool failed = fflush(request->out) != 0 || ferror(request->out);
	int why = errno ? errno : EIO;
	if (path && fclose(request->out) != 0 && !failed) {
		why = errno;
		failed = true;
	}
	if (error)
		return heddle__complain_file(request->measurement->path, error);
	if (!path)
		clearerr(stdout);
	return failed ? complain_output(path, why) : 0;
}

/* Measurements by events alone have no samples, but times. */
static const char *default_metric(const struct profile_measurement *measurement)
{
	bool sampled = profile_measurement_total(measurement, HEDDLE_METRIC_SAMPLES) != 0;
	bool timed = profile_measurement_total(measurement, HEDDLE_METRIC_WALL_TIME) != 0;
	return !sampled && timed ? "wall-time" : "samples";
}

static int export(const char *path, const struct export_options *chosen)
{
	const struct export_format *format = choose_format(chosen->format ? chosen->format : "folded");
	if (!format)
		return HEDDLE_EXIT_USAGE;
	int status = check_output(chosen->output);
	if (status)
		return status;
	struct heddle_session session;
	struct heddle_session_options how = {
		.keep_threads = format->needs_threads,
		.naming.runtime_frames = chosen->runtime_frames,
		.view = {.runtime_frames = chosen->runtime_frames, .lines = chosen->lines},
	};
	status = heddle__session_open(&session, path, &how);
	if (status)
		return status;
	if (format->needs_threads && session.measurement.merged) {
		heddle__session_close(&session);
		return heddle__complain_file(path, -HEDDLE_MERGED);
	}
	int metric = heddle__choose_metric(
		&session.measurement, chosen->metric ? chosen->metric : default_metric(&session.measurement));
	struct export_request request = {
		.measurement = &session.measurement, .view = &session.view, .metric = (enum heddle_metric)metric};
	status = metric < 0 ? -metric : write_to(format, &request, chosen->output);
	heddle__session_close(&session);
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
	.summary = "Convert a measurement for other tools (flame graphs, speedscope)",
	.arguments = "[DIR]",
	.details = "DIR is a measurement, or one of its profile files; the default is the newest in this directory.\n"
		   "Values are exclusive.\n",
	.lists_metrics = true,
	.lists_formats = true,
	.options = options,
	.run = run,
};
