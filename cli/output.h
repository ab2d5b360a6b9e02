/* SPDX-License-Identifier: BSD-3-Clause */
/* The directory that a measurement is written to: created, tested, and never one that already holds a measurement. */
#ifndef HEDDLE_CLI_OUTPUT_H
#define HEDDLE_CLI_OUTPUT_H

#include "cli/run/ranks.h"
#include "format/shell_word.h"

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct heddle_output {
	char name[PATH_MAX];     /* as given; or heddle-PROGRAM-, to be completed with the process id */
	char absolute[PATH_MAX]; /* once made or resolved */
	char quoted[HEDDLE_SHELL_WORD_SIZE(PATH_MAX)]; /* the name, ready to be typed in a shell */
	char job[256]; /* the launcher's job whose ranks share the directory; "": none (run/companions.h) */
	bool silent;   /* another rank reports errors */
	bool given;
	bool made_here; /* check or make created it */
};

/*
 * Checks that a measurement can be written to `name`, making the directory; NULL: the default for `program` will be
 * made later, in the current directory. `ranks`: several share it, and rank 0 reports errors; NULL: alone. Returns 0,
 * or a negative errno after the report.
 */
int heddle__output_check(
	struct heddle_output *output, const char *name, const char *program, const struct heddle_ranks *ranks);

/* Makes the default directory of that process, if none was given. Returns 0, or a negative errno after a report. */
int heddle__output_make(struct heddle_output *output, pid_t pid);

/* In the parent, after the program: fills `absolute` and `quoted`. Returns 0, or -ENOENT if there is no directory. */
int heddle__output_resolve(struct heddle_output *output, pid_t pid);

bool heddle__output_holds_profiles(const struct heddle_output *output);

/* True if that process of this host has a profile in the directory. */
bool heddle__output_holds_profile_of(const struct heddle_output *output, pid_t pid);

/*
 * Returns the path of the mark that the ranks of a job leave in their directory, by which the others know that its
 * profiles are theirs. Free it.
 */
char *heddle__output_mark(const struct heddle_output *output);

/* Removes the file of shared blame that UPC threads left in the directory when SIGKILL ended them. */
void heddle__output_tidy(const struct heddle_output *output, pid_t pid);

/* Remove the directory if this command made it and it is empty. */
void heddle__output_remove_if_empty(const struct heddle_output *output);

#endif
