/* SPDX-License-Identifier: BSD-3-Clause */
/* What several commands share: opening a measurement, with progress and complaints, and naming its code. */
#ifndef HEDDLE_CLI_SESSION_H
#define HEDDLE_CLI_SESSION_H

#include "cli/base/commands.h"
#include "profile/view/view.h"

struct heddle_session {
	struct profile_measurement measurement;
	struct profile_naming naming;
	struct profile_view view;
};

struct heddle_session_options {
	bool keep_threads;
	size_t map_bytes;   /* as in struct profile_load_options */
	size_t part, parts; /* read only this part of the files; 0, 0: all */
	bool quiet;         /* do not report on stderr which files were left out or changed: the caller lists them */
	struct profile_naming_options naming;
	struct profile_view_options view;
	/*
	 * Called when all files are read, before names are looked up; or NULL. Returns 0, or an exit status after a
	 * line.
	 */
	int (*prepare)(void *context, struct profile_measurement *measurement);
	void *prepare_context;
};

/* Opens, names and folds. Returns 0, or an exit status after one line on stderr; then nothing is allocated. */
int heddle__session_open(
	struct heddle_session *session, const char *path, const struct heddle_session_options *options);

/*
 * Like heddle__session_open, without progress and messages. Returns 0 or a negative error; then nothing is allocated.
 */
int heddle__session_reopen(
	struct heddle_session *session, const char *path, const struct heddle_session_options *options);

/* The two halves of heddle__session_open, without complaints about single files. Close a session that could be read. */
int heddle__session_read(
	struct heddle_session *session, const char *path, const struct heddle_session_options *options);
int heddle__session_name(struct heddle_session *session, const struct heddle_session_options *options);
void heddle__session_close(struct heddle_session *session);

/*
 * Reads a command's options and its only argument, a measurement. Without it, *path is the newest measurement in the
 * current directory, which a line on stderr reports. Returns 0, or as heddle__options_parse, or HEDDLE_EXIT_NOT_FOUND
 * after a line. *path stays valid.
 */
int heddle__measurement_argument(
	const struct heddle_command *command, int argc, char **argv, void *target, const char **path);

/*
 * Returns the number of the metric with that name, which has values; or the negative exit status after one line on
 * stderr.
 */
int heddle__choose_metric(const struct profile_measurement *measurement, const char *name);

/* Lists the metrics that have values, the most useful first. Returns how many; `list` has room for all. */
size_t heddle__list_metrics(const struct profile_measurement *measurement, enum heddle_metric *list);

/* Returns the metric to show if none is requested; -1: no metric has values. */
int heddle__default_metric(const struct profile_measurement *measurement);

/* Prints one line on stderr about a file or directory, and returns its exit status. */
int heddle__complain_file(const char *path, int error);

/* Describes the error of a file: "is damaged (check sum wrong)". */
const char *heddle__file_error_text(int error);

#endif
