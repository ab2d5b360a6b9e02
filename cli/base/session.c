/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens measurements for the commands and turns every error number of profile/ into one line. */
#include "cli/base/session.h"

#include "analysis/summary.h"

#include "cli/base/exit_status.h"
#include "cli/base/newest.h"
#include "cli/base/progress.h"
#include "cli/base/terminal.h"
#include "format/ids.h"
#include "perf/counter.h"
#include "profile/base/errors.h"
#include "profile/file/profile_file.h"

#include <dirent.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEPT_BYTES (256 << 20)
#define LARGEST_BLOCK (32 << 20) /* the largest threshold that the C library allows */

/* ---- sentences ---- */

#define OTHER_FILES ENOTEMPTY /* error for HEDDLE_EMPTY: the directory has files, but none of a measurement */

static const struct fault {
	int error, status;
	const char *what, *advice;
} faults[] = {
	{ENOENT, HEDDLE_EXIT_NOT_FOUND, "does not exist", "give the directory that `heddle run -o DIR` wrote"},
	{ENOTDIR, HEDDLE_EXIT_NOT_FOUND, "does not exist", "give the directory that `heddle run -o DIR` wrote"},
	{EACCES, HEDDLE_EXIT_NOT_FOUND, "is not readable (permission denied)", "check its owner and mode"},
	{ELOOP, HEDDLE_EXIT_NOT_FOUND, "cannot be read (too many levels of symbolic links)",
		"check where the links point"},
	{ENAMETOOLONG, HEDDLE_EXIT_NOT_FOUND, "cannot be read (name too long)", "use a shorter name"},
	{HEDDLE_EMPTY, HEDDLE_EXIT_NOT_FOUND, "contains no profile",
		"the program may still run, or was killed before it wrote one"},
	{OTHER_FILES, HEDDLE_EXIT_NOT_FOUND, "contains other files but no profile",
		"give the directory that `heddle run -o DIR` wrote"},
	{HEDDLE_FOREIGN, HEDDLE_EXIT_BROKEN, "is not a profile of Heddle",
		"give a file or directory that `heddle run` wrote"},
	{EISDIR, HEDDLE_EXIT_BROKEN, "is not a profile of Heddle (a directory)",
		"give a file or directory that `heddle run` wrote"},
	{HEDDLE_TRUNCATED, HEDDLE_EXIT_BROKEN, "is truncated", "copy it again, or measure again"},
	{HEDDLE_CORRUPTED, HEDDLE_EXIT_BROKEN, "is damaged (wrong checksum)", "copy it again, or measure again"},
	{HEDDLE_INCONSISTENT, HEDDLE_EXIT_BROKEN, "is inconsistent", "measure again, and report the file"},
	{HEDDLE_TOO_BIG, HEDDLE_EXIT_BROKEN, "is larger than Heddle can read", "measure with fewer paths"},
	{HEDDLE_INFLATED, HEDDLE_EXIT_BROKEN, "decompresses to far more data than a profile of its size contains",
		"if it is one, decompress it with `zstd -d` first"},
	{HEDDLE_HOLLOW, HEDDLE_EXIT_BROKEN, "has holes (most of it was never written)",
		"copy it again, or measure again"},
	{HEDDLE_NEWER, HEDDLE_EXIT_NEWER, "was written by a newer Heddle than this " HEDDLE_VERSION,
		"read it with that newer version"},
	{HEDDLE_MERGED, HEDDLE_EXIT_NO_VALUES, "is a merged file, which has no values of single threads",
		"give the directory that it was made from"},
	{HEDDLE_RENAMED, HEDDLE_EXIT_NO_VALUES, "was merged with other options for names of functions",
		"leave out --lines and --runtime-frames, or give the directory that it was made from"},
	{ENOMEM, HEDDLE_EXIT_FAILED, "cannot be read (not enough memory)", "use a machine with more memory"},
};

static const struct fault *find_fault(int error)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		if (faults[i].error == -error)
			return &faults[i];
	return NULL;
}

const char *heddle__file_error_text(int error)
{
	const struct fault *fault = find_fault(error);
	return fault ? fault->what : strerror(-error);
}

/* Ignores files of a program that still runs, whose names begin with a dot. */
static bool holds_other_files(const char *path)
{
	DIR *entries = opendir(path);
	struct dirent *entry = NULL;
	while (entries && (entry = readdir(entries)) != NULL && entry->d_name[0] == '.')
		;
	if (entries)
		closedir(entries);
	return entry;
}

int heddle__complain_file(const char *path, int error)
{
	if (error == -HEDDLE_EMPTY && holds_other_files(path))
		error = -OTHER_FILES;
	const struct fault *fault = find_fault(error);
	uint32_t version = error == -HEDDLE_NEWER ? profile_file_version(path) : 0;
	fprintf(stderr, fault ? "heddle: %s %s" : "heddle: %s: %s", heddle__shown(path),
		heddle__file_error_text(error));
	if (version > HEDDLE_FILE_VERSION)
		fprintf(stderr, " (format %" PRIu32 ", this one reads up to %u)", version, HEDDLE_FILE_VERSION);
	fprintf(stderr, ": %s\n", fault ? fault->advice : "the system refused it");
	return fault ? fault->status : HEDDLE_EXIT_FAILED;
}

static void complain_broken(const struct profile_measurement *measurement)
{
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (!process->error)
			continue;
		fprintf(stderr, "heddle: left out %zu of %zu files: %s %s", measurement->broken_count,
			measurement->file_count, heddle__shown(process->path), heddle__file_error_text(process->error));
		fputs(measurement->broken_count > 1 ? ", ...: `heddle info` lists them\n" : ": the rest is shown\n",
			stderr);
		return;
	}
}

static void complain_changed(const struct heddle_session *session)
{
	for (size_t m = 0; m < session->measurement.tree.module_count; m++)
		if (session->naming.modules[m].status == HEDDLE_CODE_CHANGED)
			fprintf(stderr,
				"heddle: %s changed after the measurement, so its functions are shown as addresses: "
				"measure again\n",
				heddle__shown(session->measurement.tree.modules[m].path));
}

/* A missing line or inlined function is not visible in a report; therefore a line for each module reports it. */
static void complain_gap(const char *path, const struct profile_module_names *names)
{
	const char *file = names->gap_file, *shown = heddle__shown(path);
	static const char lacks[] = "lines or inlined functions are missing";
	if (names->gap == HEDDLE_GAP_ZSTD)
		fprintf(stderr,
			"heddle: %s: this libdw can't read debug information compressed by zstd, so %s: expand it with "
			"objcopy --decompress-debug-sections\n",
			shown, lacks);
	else if (names->gap == HEDDLE_GAP_DWO)
		fprintf(stderr,
			"heddle: %s: its debug file %s is missing, so %s: restore the .dwo files, or compile without "
			"-gsplit-dwarf\n",
			shown, file, lacks);
	else if (names->gap == HEDDLE_GAP_DWP)
		fprintf(stderr,
			"heddle: %s: this libdw can't read its debug information in %s, so %s: restore the .dwo files, "
			"or "
			"compile without -gsplit-dwarf\n",
			shown, file, lacks);
	else if (names->gap == HEDDLE_GAP_ALT)
		fprintf(stderr,
			"heddle: %s: %s, to which its debug information refers (dwz), is missing, so %s: install the "
			"debug package that it belongs to\n",
			shown, file, lacks);
}

static void complain_gaps(const struct heddle_session *session)
{
	for (size_t m = 0; m < session->measurement.tree.module_count; m++)
		complain_gap(session->measurement.tree.modules[m].path, &session->naming.modules[m]);
}

/* ---- opening ---- */

/* Each file allocates and frees memory in large blocks; returning these to the system each time costs page faults. */
static void keep_memory(void)
{
#ifdef M_TRIM_THRESHOLD
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
	mallopt(M_MMAP_THRESHOLD, LARGEST_BLOCK);
#endif
}

int heddle__session_read(struct heddle_session *session, const char *path, const struct heddle_session_options *options)
{
	keep_memory();
	*session = (struct heddle_session){0};
	struct heddle_progress progress;
	char *bad_path;
	struct profile_load_options load = {
		.keep_threads = options->keep_threads,
		.map_bytes = options->map_bytes,
		.part = options->part,
		.parts = options->parts,
		.progress = &progress.steps,
	};
	heddle__progress_begin(&progress, STDERR_FILENO, HEDDLE_PROGRESS_DELAY_MS);
	int error = profile_measurement_open(&session->measurement, path, &load, &bad_path);
	heddle__progress_end(&progress);
	int status = error ? heddle__complain_file(bad_path ? bad_path : path, error) : 0;
	free(bad_path);
	return status;
}

int heddle__session_name(struct heddle_session *session, const struct heddle_session_options *options)
{
	struct profile_naming_options naming = options->naming;
	struct heddle_progress progress;
	heddle__progress_begin(&progress, STDERR_FILENO, HEDDLE_PROGRESS_DELAY_MS);
	naming.progress = &progress.steps;
	int error = profile_naming_make(&session->naming, &session->measurement.tree, &naming);
	if (!error)
		error = profile_view_make(&session->view, &session->measurement, &session->naming, &options->view);
	heddle__progress_end(&progress);
	return error ? heddle__complain_file(session->measurement.path, error) : 0;
}

int heddle__session_open(struct heddle_session *session, const char *path, const struct heddle_session_options *options)
{
	int status = heddle__session_read(session, path, options);
	if (status)
		return status;
	if (options->prepare)
		status = options->prepare(options->prepare_context, &session->measurement);
	if (!status)
		status = heddle__session_name(session, options);
	if (status) {
		heddle__session_close(session);
		return status;
	}
	if (!options->quiet) {
		complain_broken(&session->measurement);
		complain_changed(session);
		complain_gaps(session);
	}
	return 0;
}

int heddle__session_reopen(
	struct heddle_session *session, const char *path, const struct heddle_session_options *options)
{
	struct profile_load_options load = {.keep_threads = options->keep_threads};
	*session = (struct heddle_session){0};
	int error = profile_measurement_open(&session->measurement, path, &load, NULL);
	if (error)
		return error;
	error = profile_naming_make(&session->naming, &session->measurement.tree, &options->naming);
	if (!error)
		error = profile_view_make(&session->view, &session->measurement, &session->naming, &options->view);
	if (error)
		heddle__session_close(session);
	return error;
}

void heddle__session_close(struct heddle_session *session)
{
	profile_view_free(&session->view);
	profile_naming_free(&session->naming);
	profile_measurement_close(&session->measurement);
}

/* ---- arguments ---- */

static int take_newest(const struct heddle_command *command, const char **path)
{
	*path = heddle__newest_measurement();
	if (*path) {
		fprintf(stderr, "heddle: %s: reading %s, the newest measurement in this directory\n", command->name,
			heddle__shown(*path));
		return 0;
	}
	fprintf(stderr,
		"heddle: %s: no measurement given, and none in this directory: make one with `heddle run PROGRAM`\n",
		command->name);
	return HEDDLE_EXIT_NOT_FOUND;
}

int heddle__measurement_argument(
	const struct heddle_command *command, int argc, char **argv, void *target, const char **path)
{
	const char **rest = calloc((size_t)argc + 1, sizeof(*rest));
	int count, status = HEDDLE_EXIT_FAILED;
	if (rest)
		status = heddle__options_parse(command, argc, argv, target, rest, &count);
	if (!status && count > 1) {
		fprintf(stderr,
			"heddle: %s: unexpected argument '%s': one measurement at a time; see: heddle %s --help\n",
			command->name, rest[1], command->name);
		status = HEDDLE_EXIT_USAGE;
	}
	if (!status && count == 1)
		*path = rest[0];
	else if (!status)
		status = take_newest(command, path);
	free(rest);
	return status;
}

/* Prints the metrics that have values. */
static void list_metrics(const struct profile_measurement *measurement)
{
	const char *separator = "";
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
		if (!profile_measurement_total(measurement, m))
			continue;
		fprintf(stderr, "%s%s", separator, profile_metric_name(m));
		separator = ", ";
	}
	fputs(*separator ? "\n" : "none\n", stderr);
}

static bool is_countable(const char *name)
{
	struct heddle_counter counter;
	return heddle__counter_parse(name, strlen(name), &counter) == 0 || strstr(name, "::") ||
	       strncmp(name, "PAPI_", 5) == 0;
}

/* True if the metric was counted, even if all counts are 0. */
static bool was_counted(const struct profile_measurement *measurement, const char *name)
{
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		for (size_t i = 0; !process->error && i < process->info->n_counters; i++)
			if (strcmp(process->info->counters[i]->name, name) == 0)
				return true;
	}
	return false;
}

static int complain_counter(const struct profile_measurement *measurement, const char *name)
{
	if (was_counted(measurement, name))
		fprintf(stderr, "heddle: --metric: '%s' is 0 everywhere in %s: it was counted, but never occurred\n",
			name, heddle__shown(measurement->path));
	else
		fprintf(stderr, "heddle: --metric: '%s' was not counted in %s: measure with `heddle run --metric %s`\n",
			name, heddle__shown(measurement->path), name);
	return -HEDDLE_EXIT_NO_VALUES;
}

int heddle__choose_metric(const struct profile_measurement *measurement, const char *name)
{
	int metric = profile_metric_find(name);
	if (metric >= 0 && profile_measurement_total(measurement, metric))
		return metric;
	if (metric < 0 ? is_countable(name) : profile_metric_is_counter(metric))
		return complain_counter(measurement, name);
	if (metric < 0)
		fprintf(stderr, "heddle: --metric: '%s' is unknown: choose one of ", name);
	else
		fprintf(stderr, "heddle: --metric: '%s' has no values in %s: %s; here are ", name,
			heddle__shown(measurement->path), profile_metric_hint(metric));
	list_metrics(measurement);
	return metric < 0 ? -HEDDLE_EXIT_USAGE : -HEDDLE_EXIT_NO_VALUES;
}

size_t heddle__list_metrics(const struct profile_measurement *measurement, enum heddle_metric *list)
{
	enum heddle_metric order[HEDDLE_METRIC_LIMIT], first = HEDDLE_METRIC_CPU_TIME;
	size_t count = profile_metric_order(order), used = 0;
	if (!profile_measurement_total(measurement, first))
		first = HEDDLE_METRIC_WALL_TIME;
	if (profile_measurement_total(measurement, first))
		list[used++] = first;
	for (size_t i = 0; i < count; i++)
		if (order[i] != first && profile_measurement_total(measurement, order[i]))
			list[used++] = order[i];
	return used;
}

int heddle__default_metric(const struct profile_measurement *measurement)
{
	if (heddle__is_sampled_by_event(measurement) && profile_measurement_total(measurement, HEDDLE_METRIC_SAMPLES))
		return HEDDLE_METRIC_SAMPLES;
	static const enum heddle_metric preferred[] = {
		HEDDLE_METRIC_CPU_TIME, HEDDLE_METRIC_WALL_TIME, HEDDLE_METRIC_SAMPLES, HEDDLE_METRIC_VISITS};
	for (size_t i = 0; i < sizeof(preferred) / sizeof(*preferred); i++)
		if (profile_measurement_total(measurement, preferred[i]))
			return (int)preferred[i];
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++)
		if (profile_measurement_total(measurement, m))
			return m;
	return -1;
}
