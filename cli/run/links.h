/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A private directory with links to libraries, for a run: an OpenMP runtime under the names by which programs load it;
 * and Heddle's libraries, if LD_PRELOAD, which has no quoting, cannot contain their own path; or copies of these, if
 * other users cannot read them.
 */
#ifndef HEDDLE_CLI_RUN_LINKS_H
#define HEDDLE_CLI_RUN_LINKS_H

#include <stdbool.h>

#include "cli/base/program.h"

struct heddle_links {
	char directory[64]; /* "": none */
};

/* Heddle's libraries that are preloaded: the first always, the others for programs that need them. */
#define HEDDLE_PRELOADED(X)              \
	X(MAIN, "libheddle.so")          \
	X(MEMORY, "libheddle-memory.so") \
	HEDDLE_WRAPPED(X)                \
	X(ANNOTATIONS, "libheddle-annotations.so")

enum heddle_preloaded {
#define X(key, ...) HEDDLE_PRELOADED_##key,
	HEDDLE_PRELOADED(X)
#undef X
		HEDDLE_PRELOADED_COUNT
};

extern const char *const heddle__preloaded_names[HEDDLE_PRELOADED_COUNT];

struct heddle_link_targets {
	const char *libraries[HEDDLE_PRELOADED_COUNT], *runtime; /* "": no link */
	bool copies;                                             /* copies of Heddle's libraries instead of links */
};

/*
 * True if another user may be unable to read the file, by its mode or that of a directory above it: programs that a
 * root process starts as that user would not load it.
 */
bool heddle__is_private(const char *path);

/* Makes the directory and the links, once. Returns 0, or an exit status after printing the reason. */
int heddle__links_make(struct heddle_links *links, const struct heddle_link_targets *targets);

void heddle__links_remove(const struct heddle_links *links);

#endif
