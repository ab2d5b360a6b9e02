/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the malloc family: in use at the end, and at the peak. */
#ifndef HEDDLE_ANALYSIS_MEMORY_H
#define HEDDLE_ANALYSIS_MEMORY_H

#include "profile/file/measurement.h"
#include "profile/view/view.h"

struct heddle_memory {
	size_t processes;                        /* whose memory was measured */
	uint64_t in_use;                         /* in bytes, at the end */
	const Heddle__Profile__Process *highest; /* the process with the largest peak; NULL: none was measured */
};

struct heddle_memory heddle__memory_of(const struct profile_measurement *measurement);

/* Memory that a function of the program allocated, directly or through system functions that it calls. */
struct heddle_memory_function {
	uint64_t allocated, allocations; /* bytes, blocks */
	uint32_t label;                  /* of the view */
};

/* Makes a row for each such function, most bytes first. The caller frees *rows. Returns 0 or -ENOMEM. */
int heddle__memory_functions(const struct profile_view *view, struct heddle_memory_function **rows, size_t *count);

/*
 * A line of the program that allocated memory, directly or through system code that it calls: a region's line is in its
 * label, a function's in `file` ("": unknown) and `line`.
 */
struct heddle_memory_place {
	uint64_t allocated, allocations; /* bytes, blocks */
	uint32_t label;                  /* of the view */
	const char *file;                /* NULL: the label has the line */
	uint32_t line;
};

/* Makes a row for each such line, most bytes first. The caller frees *rows. Returns 0 or -ENOMEM. */
int heddle__memory_places(const struct profile_view *view, const struct profile_call_tree *tree,
	const struct profile_naming *naming, struct heddle_memory_place **rows, size_t *count);

#endif
