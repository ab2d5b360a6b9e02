/* SPDX-License-Identifier: BSD-3-Clause */
/* What report, export and info have in common: opening a measurement, with progress and complaints, and naming it. */
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
	bool quiet;         /* don't say on stderr which files were left out or changed: the caller lists them */
	struct profile_naming_options naming;
	struct profile_view_options view;
	/* Called when everything is read and nothing is named yet; or NULL. 0, or an exit status after a line. */
	int (*prepare)(void *context, struct profile_measurement *measurement);
	void *prepare_context;
};

/* Opens, names and folds. 0, or one line on stderr and an exit status; then nothing is held. */
int heddle__session_open(
	struct heddle_session *session, const char *path, const struct heddle_session_options *options);

/* The same without progress and without a word: 0 or a negative error; then nothing is held. */
int heddle__session_reopen(
	struct heddle_session *session, const char *path, const struct heddle_session_options *options);

/* The two halves of it, without complaints about single files. A session that could be read is to be closed. */
int heddle__session_read(
	struct heddle_session *session, const char *path, const struct heddle_session_options *options);
int heddle__session_name(struct heddle_session *session, const struct heddle_session_options *options);
void heddle__session_close(struct heddle_session *session);

/*
 * Read a command's options and its only argument, a measurement. Without one *path is the newest in the current
 * directory, which a line on stderr names. Returns 0, or what heddle__options_parse does, or HEDDLE_EXIT_NOT_FOUND
 * after a line. *path stays valid.
 */
int heddle__measurement_argument(
	const struct heddle_command *command, int argc, char **argv, void *target, const char **path);

/* Number of a metric's name, checked to have values; or one line on stderr and -exit status. */
int heddle__choose_metric(const struct profile_measurement *measurement, const char *name);

/* The metrics that have values, the one that most people look at first. Returns how many; `list` has room for all. */
size_t heddle__list_metrics(const struct profile_measurement *measurement, enum heddle_metric *list);

/* The metric to show when none is asked for; -1: there are no values at all. */
int heddle__default_metric(const struct profile_measurement *measurement);

/* One line on stderr about a file or directory, and the exit status that goes with it. */
int heddle__complain_file(const char *path, int error);

/* What is wrong with a file, in words: "is damaged (check sum wrong)". */
const char *heddle__file_error_text(int error);

#endif
