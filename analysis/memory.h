/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the malloc family: in use at the end, and at most. */
#ifndef HEDDLE_ANALYSIS_MEMORY_H
#define HEDDLE_ANALYSIS_MEMORY_H

#include "profile/file/measurement.h"
#include "profile/view/view.h"

struct heddle_memory {
	size_t processes;                        /* whose memory was measured */
	uint64_t in_use;                         /* bytes, at the end */
	const Heddle__Profile__Process *highest; /* the one with the largest peak; NULL: none was measured */
};

struct heddle_memory heddle__memory_of(const struct profile_measurement *measurement);

/* What a function of the program allocated, itself or by the system's functions that it calls. */
struct heddle_memory_function {
	uint64_t allocated, allocations; /* bytes, blocks */
	uint32_t label;                  /* of the view */
};

/* All of them, most bytes first, to *rows, which the caller frees, and *count. 0 or -ENOMEM. */
int heddle__memory_functions(const struct profile_view *view, struct heddle_memory_function **rows, size_t *count);

/*
 * A line of the program that allocated memory, itself or by the system's code that it calls: of a region by its label,
 * of a function by a file, "" when that is unknown, and a line.
 */
struct heddle_memory_place {
	uint64_t allocated, allocations; /* bytes, blocks */
	uint32_t label;                  /* of the view */
	const char *file;                /* NULL: the label says the line */
	uint32_t line;
};

/* All of them, most bytes first, to *rows, which the caller frees, and *count. 0 or -ENOMEM. */
int heddle__memory_places(const struct profile_view *view, const struct profile_call_tree *tree,
	const struct profile_naming *naming, struct heddle_memory_place **rows, size_t *count);

#endif
