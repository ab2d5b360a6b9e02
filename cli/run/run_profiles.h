/* SPDX-License-Identifier: BSD-3-Clause */
/* The descriptions of the processes of a run, read once from its profiles for the messages at the end of the run. */
#ifndef HEDDLE_CLI_RUN_PROFILES_H
#define HEDDLE_CLI_RUN_PROFILES_H

#include "profile/file/profile_peek.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heddle_run_profile {
	char *name;                        /* of the file */
	Heddle__Profile__Process *process; /* NULL: the profile cannot be read */
	uint64_t bytes;
};

struct heddle_run_profiles {
	struct heddle_run_profile *items; /* by name */
	size_t count;
	bool whole; /* false: some cannot be listed or read */
};

/* Reads the first section of each profile in the directory. If memory is exhausted, some profiles are missing. */
struct heddle_run_profiles heddle__run_profiles_read(const char *directory);

/* Removes the profiles that were moved to another directory; `moved` has a value for each index. */
void heddle__run_profiles_remove(struct heddle_run_profiles *profiles, const bool *moved);

void heddle__run_profiles_free(struct heddle_run_profiles *profiles);

#endif
