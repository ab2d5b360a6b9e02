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
	bool silent;   /* another rank says what is wrong */
	bool given;
	bool made_here; /* check or make created it */
};

/*
 * Check that a measurement can be written to `name`, making the directory; NULL: the default of `program` will be made
 * later, in the current directory. `ranks`: several share it, and rank 0 says what is wrong; NULL: alone. Returns 0 or
 * a negative errno, having said why.
 */
int heddle__output_check(
	struct heddle_output *output, const char *name, const char *program, const struct heddle_ranks *ranks);

/* Make the default directory of that process, if none was given. Returns 0 or a negative errno, having said why. */
int heddle__output_make(struct heddle_output *output, pid_t pid);

/* In the parent, after the program: fill `absolute` and `quoted`. Returns 0, or -ENOENT when there is no directory. */
int heddle__output_resolve(struct heddle_output *output, pid_t pid);

bool heddle__output_holds_profiles(const struct heddle_output *output);

/* True if that process of this host has a profile there. */
bool heddle__output_holds_profile_of(const struct heddle_output *output, pid_t pid);

/* The mark that the ranks of a job leave in their directory: the others may find profiles there. Free it. */
char *heddle__output_mark(const struct heddle_output *output);

/* Remove the file of shared blame that UPC threads ended by SIGKILL left there. */
void heddle__output_tidy(const struct heddle_output *output, pid_t pid);

/* Remove the directory if this command made it and it is empty. */
void heddle__output_remove_if_empty(const struct heddle_output *output);

#endif
