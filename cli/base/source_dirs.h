/* SPDX-License-Identifier: BSD-3-Clause */
/* The option --source-dir of commands that read source files, which a measurement names. */
#ifndef HEDDLE_CLI_SOURCE_DIRS_H
#define HEDDLE_CLI_SOURCE_DIRS_H

#include "cli/base/options.h"
#include "cli/base/words.h"

/* The option's row, for the member `directories` (struct heddle_words) of a command's options. */
#define HEDDLE_SOURCE_DIR_OPTION(options)                                                                       \
	{                                                                                                       \
		"--source-dir", "DIR", "also read source files below DIR; may be repeated", HEDDLE_OPTION_LIST, \
			offsetof(struct options, directories)                                                   \
	}

/* Allows reading below these directories, and frees the list. Returns 0, or an exit status after one line on stderr. */
int heddle__source_dirs_allow(const char *command, struct heddle_words *directories);

#endif
