/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs programs for `heddle tune --check`: output to files, a limit of time. */
#ifndef HEDDLE_TUNE_COMMAND_H
#define HEDDLE_TUNE_COMMAND_H

#include "cli/base/words.h"

#define TUNE_TIMED_OUT (-2)

struct tune_run {
	int status;     /* of exit, 128 + signal, or TUNE_TIMED_OUT */
	double seconds; /* elapsed time */
};

/*
 * Runs words[0] with its arguments, with empty standard input and both outputs to files. After `limit` seconds, the
 * program's process group is killed. Returns 0, or a negative errno if the program cannot be started.
 */
int heddle__tune_command(
	const struct heddle_words *words, const char *output, const char *errors, double limit, struct tune_run *run);

#endif
