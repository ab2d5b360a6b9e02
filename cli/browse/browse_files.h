/* SPDX-License-Identifier: BSD-3-Clause */
/* The source files that have costs. */
#ifndef HEDDLE_CLI_BROWSE_FILES_H
#define HEDDLE_CLI_BROWSE_FILES_H

#include "cli/browse/browse.h"

struct heddle_browse_file {
	const char *name; /* belongs to the measurement */
	uint64_t self;
};

/* Returns the files, the most expensive first, to be freed with free(); NULL: no memory. */
struct heddle_browse_file *heddle__browse_list_files(struct heddle_browse *browse, size_t *count);

#endif
