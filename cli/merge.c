/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle merge`: a directory of profiles becomes one file. */
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/session.h"
#include "profile/errors.h"
#include "profile/merged_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct merge_options {
	const char *output;
};

static const struct heddle_option options[] = {
	{"-o", "FILE", "write there (DIR-merged.heddle)", HEDDLE_OPTION_TEXT, offsetof(struct merge_options, output)},
	{0},
};

static char *name_output(const char *directory, const char *given)
{
	char *name;
	size_t length = strlen(directory);
	while (length > 1 && directory[length - 1] == '/')
		length--;
	int made = given ? asprintf(&name, "%s", given)
			 : asprintf(&name, "%.*s-merged" HEDDLE_FILE_SUFFIX, (int)length, directory);
	return made < 0 ? NULL : name;
}

static int check_output(const char *output)
{
	if (access(output, F_OK) != 0)
		return 0;
	fprintf(stderr, "heddle: merge: %s exists: choose another with -o FILE, or remove it\n", output);
	return HEDDLE_EXIT_OUTPUT;
}

static int complain_output(const char *output, int error)
{
	fprintf(stderr, "heddle: merge: can't write %s: %s: choose another with -o FILE\n", output, strerror(-error));
	return HEDDLE_EXIT_OUTPUT;
}

/* All metrics that have values, but what no thread has of its own. */
static int start_spreads(struct heddle_spreads *spreads, const struct heddle_session *session)
{
	bool metrics[HEDDLE_METRIC_COUNT];
	for (int m = 0; m < HEDDLE_METRIC_COUNT; m++)
		metrics[m] = session->view.values[m] && m != HEDDLE_METRIC_HELD;
	return heddle_spreads_start(spreads, &session->view, metrics, (bool[]){true, true});
}

static int write_merged(struct heddle_session *session, const char *output)
{
	struct heddle_spreads spreads;
	char *bad_path = NULL;
	int error = start_spreads(&spreads, session), status = 0;
	if (!error)
		error = heddle_spreads_read(
			&spreads, &session->measurement, &session->measurement.tree, &session->view, 0, &bad_path);
	if (error) {
		status = heddle__complain_file(bad_path ? bad_path : session->measurement.path, error);
	} else {
		struct heddle_merged_options how = {
			.spreads = &spreads, .names = heddle_view_fingerprint(&session->view)};
		error = heddle_merged_write(output, &session->measurement, &how);
		status = error ? complain_output(output, error) : 0;
	}
	free(bad_path);
	heddle_spreads_free(&spreads);
	return status;
}

static int merge(const char *directory, const char *output)
{
	struct heddle_session session;
	struct heddle_session_options how = {0};
	int status = check_output(output);
	if (!status)
		status = heddle__session_open(&session, directory, &how);
	if (status)
		return status;
	status = write_merged(&session, output);
	heddle__session_close(&session);
	return status;
}

static int run(int argc, char **argv)
{
	struct merge_options chosen = {0};
	const char **rest = calloc((size_t)argc + 1, sizeof(*rest));
	int count, status = rest ? 0 : HEDDLE_EXIT_FAILED;
	if (!status)
		status = heddle__options_parse(options, "merge", argc, argv, &chosen, rest, &count);
	const char *path = status ? NULL : heddle__only_argument("merge", rest, count);
	free(rest);
	if (status || !path)
		return status ? status : HEDDLE_EXIT_USAGE;
	char *output = name_output(path, chosen.output);
	status = output ? merge(path, output) : HEDDLE_EXIT_FAILED;
	free(output);
	return status;
}

const struct heddle_command heddle__command_merge = {
	.name = "merge",
	.summary = "Merge the profiles of a measurement into one file",
	.arguments = "DIR",
	.details = "The file has one tree, and how each path's cost spreads over the threads. All reports take it.\n",
	.options = options,
	.run = run,
};
