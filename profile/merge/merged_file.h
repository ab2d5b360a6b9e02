/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a merged measurement as one profile file, in pieces: no message is ever in memory as a whole. */
#ifndef HEDDLE_PROFILE_MERGED_FILE_H
#define HEDDLE_PROFILE_MERGED_FILE_H

#include "profile/merge/spread.h"

struct profile_merged_options {
	const struct profile_spreads *spreads; /* NULL: none are written */
	const struct profile_view *view;       /* the view that `spreads` refer to */
	bool part;                             /* the file will be merged again: it keeps the data for exact sums */
};

/*
 * Writes to a temporary file and renames it to `path`. Sorts the tree's distributions. Leaves out processes that could
 * not be read. Returns 0 or a negative error, after which `path` is unchanged.
 */
int profile_merged_write(
	const char *path, struct profile_measurement *measurement, const struct profile_merged_options *options);

#endif
