/* SPDX-License-Identifier: BSD-3-Clause */
/* The profiles that a run left, as each says of its process: what is said at the end of a run is of one reading. */
#ifndef HEDDLE_CLI_RUN_PROFILES_H
#define HEDDLE_CLI_RUN_PROFILES_H

#include "profile/file/profile_peek.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heddle_run_profile {
	char *name;                        /* of its file */
	Heddle__Profile__Process *process; /* NULL: it cannot be read */
	uint64_t bytes;
};

struct heddle_run_profiles {
	struct heddle_run_profile *items; /* by name */
	size_t count;
	bool whole; /* false: some cannot be listed or read */
};

/* Reads the first section of each profile in the directory. Without memory, some are missing. */
struct heddle_run_profiles heddle__run_profiles_read(const char *directory);

/* Removes those that have moved elsewhere; `moved` is by index. */
void heddle__run_profiles_remove(struct heddle_run_profiles *profiles, const bool *moved);

void heddle__run_profiles_free(struct heddle_run_profiles *profiles);

#endif
