/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes the directories of --source-dir to the reader of sources. */
#include "cli/base/source_dirs.h"

#include "cli/base/exit_status.h"
#include "profile/view/source_text.h"

#include <stdio.h>
#include <string.h>

int heddle__source_dirs_allow(const char *command, struct heddle_words *directories)
{
	int status = 0;
	for (size_t i = 0; !status && i < directories->count; i++) {
		int error = profile_source_allow(directories->at[i]);
		if (!error)
			continue;
		fprintf(stderr, "heddle: %s: --source-dir: %s: %s\n", command, directories->at[i], strerror(-error));
		status = HEDDLE_EXIT_NOT_FOUND;
	}
	heddle__words_free(directories);
	return status;
}
