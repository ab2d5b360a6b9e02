/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle merge`: turns a directory of profiles into one file, alone or as ranks of an MPI job. Each rank reads
 * consecutive files; then half of the ranks pass their results to the other half, until rank 0 has everything: first
 * trees and, when all ranks have read the whole tree, statistics.
 */
#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/progress.h"
#include "cli/base/session.h"
#include "cli/base/terminal.h"
#include "cli/run/ranks.h"
#include "format/trace.h"
#include "profile/base/errors.h"
#include "profile/merge/merged_file.h"

#include <dirent.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAP_BYTES ((size_t)256 << 20)

struct merge_options {
	const char *output;
	bool drop_traces;
};

static const struct heddle_option options[] = {
	{"-o", "FILE", "write to this file (default: DIR-merged.heddle)", HEDDLE_OPTION_TEXT,
		offsetof(struct merge_options, output)},
	{"--drop-traces", NULL, "merge the profiles and leave out their traces", HEDDLE_OPTION_FLAG,
		offsetof(struct merge_options, drop_traces)},
	{0},
};

struct merge {
	const char *directory;
	char *output;
	struct heddle_ranks ranks;
	struct heddle_session session; /* this rank's files, and those of ranks that passed theirs to this one */
	size_t own;                    /* processes that this rank read itself */
	struct heddle_session all;     /* the whole tree with its names; rank 0's shares the measurement of `session` */
	struct profile_spreads spreads;
};

/* ---- the output ---- */

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

/*
 * True if the output is in that directory: the next merge would read it together with the files that it was made from.
 */
static bool is_inside(const char *output, const char *directory)
{
	char *copy = strdup(output);
	struct stat theirs, ours;
	bool same = copy && stat(dirname(copy), &ours) == 0 && stat(directory, &theirs) == 0 &&
		    ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
	free(copy);
	return same;
}

/* Each rank checks, since none waits for another yet; rank 0 prints the reason. */
static int check_output(const struct merge *merge)
{
	bool prints = merge->ranks.rank == 0;
	if (is_inside(merge->output, merge->directory)) {
		if (prints)
			fprintf(stderr, "heddle: merge: %s is in %s and would be counted twice: choose another place\n",
				heddle__shown(merge->output), heddle__shown(merge->directory));
		return HEDDLE_EXIT_USAGE;
	}
	if (access(merge->output, F_OK) != 0)
		return 0;
	if (prints)
		fprintf(stderr, "heddle: merge: %s exists: choose another with -o FILE, or remove it\n",
			heddle__shown(merge->output));
	return HEDDLE_EXIT_OUTPUT;
}

static int is_trace(const struct dirent *entry)
{
	static const char suffix[] = HEDDLE_FILE_SUFFIX HEDDLE_TRACE_SUFFIX;
	size_t length = strlen(entry->d_name);
	return length >= sizeof(suffix) && strcmp(entry->d_name + length - sizeof(suffix) + 1, suffix) == 0;
}

/* A merged file has no traces, so the user must request that they are left out. */
static int check_traces(const char *directory, size_t rank)
{
	struct dirent **found;
	int count = scandir(directory, &found, is_trace, NULL);
	for (int i = 0; i < count; i++)
		free(found[i]);
	if (count >= 0)
		free(found);
	if (count > 0 && rank == 0)
		fprintf(stderr,
			"heddle: merge: %s has %d trace%s, which a merged file cannot contain: keep the directory, and "
			"merge with --drop-traces\n",
			directory, count, count == 1 ? "" : "s");
	return count > 0 ? HEDDLE_EXIT_USAGE : 0;
}

static int complain_output(const char *path, int error)
{
	if (error)
		fprintf(stderr, "heddle: merge: can't write %s: %s: choose another place with -o FILE\n",
			heddle__shown(path), strerror(-error));
	return error ? HEDDLE_EXIT_OUTPUT : 0;
}

/* ---- trees ---- */

static int check_files(const struct profile_measurement *measurement)
{
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (process->merged) {
			fprintf(stderr,
				"heddle: merge: %s is already a merged file: give a directory of single profiles\n",
				heddle__shown(measurement->merged ? measurement->merged : measurement->path));
			return HEDDLE_EXIT_USAGE;
		}
		if (process->error)
			fprintf(stderr, "heddle: merge: left out: %s %s\n", heddle__shown(process->path),
				heddle__file_error_text(process->error));
	}
	return 0;
}

static int read_own(struct merge *merge)
{
	struct heddle_session_options how = {.part = merge->ranks.rank, .parts = merge->ranks.count};
	if (merge->ranks.count == 1) /* else the whole tree is a different one */
		how.map_bytes = MAP_BYTES;
	int status = heddle__session_read(&merge->session, merge->directory, &how);
	if (status)
		return status;
	merge->own = merge->session.measurement.process_count;
	return check_files(&merge->session.measurement);
}

/*
 * Returns the next rank that passes its results to this one: 1, 2, 4, ... further; 0: this rank must pass its own now.
 */
static size_t next_giver(const struct merge *merge, size_t distance)
{
	if (merge->ranks.rank & distance)
		return 0;
	return merge->ranks.rank + distance;
}

static int take_tree(struct merge *merge, const char *path)
{
	struct heddle_session other;
	int status = heddle__session_read(&other, path, &(struct heddle_session_options){0});
	if (status)
		return status;
	int error = profile_measurement_append(&merge->session.measurement, &other.measurement);
	heddle__session_close(&other);
	return error ? heddle__complain_file(path, error) : 0;
}

static int take_spreads(struct merge *merge, const char *path)
{
	int error = profile_spreads_load(&merge->spreads, path, &merge->all.view);
	return error ? heddle__complain_file(path, error) : 0;
}

/* Receives the results of other ranks, in order. */
static int collect(struct merge *merge, const char *what, int (*take)(struct merge *, const char *))
{
	int status = 0;
	size_t giver;
	for (size_t distance = 1; !status && distance < merge->ranks.count; distance *= 2) {
		if ((giver = next_giver(merge, distance)) == 0)
			break;
		if (giver >= merge->ranks.count)
			continue;
		char *path = heddle__ranks_file(&merge->ranks, what, giver);
		status = path && heddle__ranks_wait(&merge->ranks, path) ? take(merge, path) : HEDDLE_EXIT_FAILED;
		if (path)
			unlink(path);
		free(path);
	}
	return status;
}

static int hand_over_tree(struct merge *merge)
{
	struct profile_merged_options how = {.part = true};
	char *path = heddle__ranks_file(&merge->ranks, "tree", merge->ranks.rank);
	int error = path ? profile_merged_write(path, &merge->session.measurement, &how) : -ENOMEM;
	int status = complain_output(path ? path : merge->output, error);
	free(path);
	return status;
}

/* All ranks other than rank 0 read the tree that rank 0 collected. */
static int get_whole_tree(struct merge *merge)
{
	struct heddle_session_options how = {0};
	if (merge->ranks.rank == 0) {
		merge->all.measurement = merge->session.measurement;
		return heddle__session_name(&merge->all, &how);
	}
	char *path = heddle__ranks_file(&merge->ranks, "tree", 0);
	int status = path && heddle__ranks_wait(&merge->ranks, path) ? heddle__session_read(&merge->all, path, &how)
								     : HEDDLE_EXIT_FAILED;
	free(path);
	return status ? status : heddle__session_name(&merge->all, &how);
}

static int merge_trees(struct merge *merge)
{
	int status = read_own(merge);
	if (!status)
		status = collect(merge, "tree", take_tree);
	if (!status && merge->session.measurement.process_count == merge->session.measurement.broken_count &&
		merge->ranks.rank == 0)
		status = heddle__complain_file(merge->directory, -HEDDLE_EMPTY);
	if (!status && merge->ranks.count > 1)
		status = hand_over_tree(merge);
	return status ? status : get_whole_tree(merge);
}

/* ---- statistics ---- */

/* Starts a spread for each metric that has values and is recorded by thread. */
static int start_spreads(struct merge *merge)
{
	bool metrics[HEDDLE_METRIC_LIMIT];
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++)
		metrics[m] = merge->all.view.values[m] && profile_metric_is_of_threads(m);
	return profile_spreads_start(&merge->spreads, &merge->all.view, metrics, (bool[]){true, true});
}

static int read_spreads(struct merge *merge)
{
	char *bad_path = NULL;
	struct profile_measurement own = merge->session.measurement;
	own.process_count = merge->own;
	int error = start_spreads(merge);
	struct heddle_progress progress;
	heddle__progress_begin(&progress, STDERR_FILENO, HEDDLE_PROGRESS_DELAY_MS);
	if (!error)
		error = profile_spreads_read(&merge->spreads, &own, &merge->all.measurement.tree, &merge->all.view, 0,
			&progress.steps, &bad_path);
	heddle__progress_end(&progress);
	int status = error ? heddle__complain_file(bad_path ? bad_path : merge->directory, error) : 0;
	free(bad_path);
	return status;
}

static int write_result(struct merge *merge)
{
	if (merge->ranks.rank == 0) {
		struct profile_merged_options how = {.spreads = &merge->spreads, .view = &merge->all.view};
		return complain_output(
			merge->output, profile_merged_write(merge->output, &merge->session.measurement, &how));
	}
	char *path = heddle__ranks_file(&merge->ranks, "spread", merge->ranks.rank);
	int error = path ? profile_spreads_save(&merge->spreads, path, &merge->all.view) : -ENOMEM;
	int status = complain_output(path ? path : merge->output, error);
	free(path);
	return status;
}

/* ---- the merge ---- */

static int do_merge(struct merge *merge)
{
	char *meeting;
	if (asprintf(&meeting, "%s.parts", merge->output) < 0)
		return HEDDLE_EXIT_FAILED;
	int status = check_output(merge);
	if (!status)
		status = heddle__ranks_meet(&merge->ranks, meeting);
	free(meeting);
	if (status)
		return status;
	status = merge_trees(merge);
	if (!status)
		status = read_spreads(merge);
	if (!status)
		status = collect(merge, "spread", take_spreads);
	if (!status)
		status = write_result(merge);
	if (status)
		heddle__ranks_fail(&merge->ranks);
	else if (merge->ranks.rank == 0)
		heddle__ranks_clean(&merge->ranks);
	if (!status && merge->ranks.rank == 0)
		printf("heddle: merge: %s: see: heddle report %s\n", heddle__shown(merge->output),
			heddle__shown(merge->output));
	return status;
}

static int merge_directory(const char *directory, const struct merge_options *chosen)
{
	struct merge merge = {.directory = directory, .output = name_output(directory, chosen->output)};
	int status = merge.output ? 0 : HEDDLE_EXIT_FAILED;
	if (!status && !heddle__ranks_detect(&merge.ranks))
		status = HEDDLE_EXIT_USAGE;
	if (!status && !chosen->drop_traces)
		status = check_traces(directory, merge.ranks.rank);
	if (!status)
		status = do_merge(&merge);
	if (merge.ranks.rank == 0)
		merge.all.measurement = (struct profile_measurement){0};
	profile_spreads_free(&merge.spreads);
	heddle__session_close(&merge.all);
	heddle__session_close(&merge.session);
	heddle__ranks_free(&merge.ranks);
	free(merge.output);
	return status;
}

static int run(int argc, char **argv)
{
	struct merge_options chosen = {0};
	const char *path;
	int status = heddle__measurement_argument(&heddle__command_merge, argc, argv, &chosen, &path);
	if (status)
		return status;
	return merge_directory(path, &chosen);
}

const struct heddle_command heddle__command_merge = {
	.name = "merge",
	.summary = "Merge the profiles of a measurement into one file",
	.arguments = "[DIR]",
	.details = "DIR is a measurement; the default is the newest in this directory.\n"
		   "The file has one tree, and the distribution of each path's cost over the threads. All reports read "
		   "it.\n"
		   "Under mpirun or srun, the processes share the work.\n",
	.options = options,
	.run = run,
};
