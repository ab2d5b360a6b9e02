/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses to shared memory by the lines of a source file. */
#ifndef HEDDLE_ANALYSIS_LINE_ACCESSES_H
#define HEDDLE_ANALYSIS_LINE_ACCESSES_H

#include "profile/view/accesses.h"

#include <stdbool.h>

struct heddle_access_sum {
	uint64_t count, time_ns; /* of accesses to other threads' memory */
};

struct heddle_line_accesses {
	struct heddle_access_sum *lines, total; /* `lines` by line, [0] is unused; `total` of all files */
	uint32_t line_count;
	bool remote; /* there is another node: only accesses to other nodes count */
};

/* Returns 0 or -ENOMEM. */
int heddle__line_accesses_make(struct heddle_line_accesses *sums, const struct profile_accesses *accesses,
	const char *file, uint32_t line_count);
void heddle__line_accesses_free(struct heddle_line_accesses *sums);

/* True if two file names, as compilers or users wrote them, may mean the same file: one ends with the other. */
bool heddle__is_same_file(const char *one, const char *other);

#endif
