/* SPDX-License-Identifier: BSD-3-Clause */
/* What report, export and info have in common: opening a measurement, with progress and complaints, and naming it. */
#ifndef HEDDLE_CLI_SESSION_H
#define HEDDLE_CLI_SESSION_H

#include "profile/view.h"

struct heddle_session {
	struct heddle_measurement measurement;
	struct heddle_naming naming;
	struct heddle_view view;
};

struct heddle_session_options {
	bool keep_threads;
	size_t part, parts; /* read only this part of the files; 0, 0: all */
	bool quiet;         /* don't say on stderr which files were left out or changed: the caller lists them */
	struct heddle_naming_options naming;
	struct heddle_view_options view;
};

/* Opens, names and folds. 0, or one line on stderr and an exit status; then nothing is held. */
int heddle__session_open(
	struct heddle_session *session, const char *path, const struct heddle_session_options *options);

/* The two halves of it, without complaints about single files. A session that could be read is to be closed. */
int heddle__session_read(
	struct heddle_session *session, const char *path, const struct heddle_session_options *options);
int heddle__session_name(struct heddle_session *session, const struct heddle_session_options *options);
void heddle__session_close(struct heddle_session *session);

/* The only argument of a command; complains otherwise (then NULL). */
const char *heddle__only_argument(const char *command, const char **rest, int rest_count);

/* Number of a metric's name, checked to have values; or one line on stderr and -exit status. */
int heddle__choose_metric(const struct heddle_measurement *measurement, const char *name);

/* One line on stderr about a file or directory, and the exit status that goes with it. */
int heddle__complain_file(const char *path, int error);

/* What is wrong with a file, in words: "is damaged (check sum wrong)". */
const char *heddle__file_trouble(int error);

#endif
