/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing a merged measurement as one profile file, a piece at a time: no message is ever in memory as a whole. */
#ifndef HEDDLE_PROFILE_MERGED_FILE_H
#define HEDDLE_PROFILE_MERGED_FILE_H

#include "profile/spread.h"

struct heddle_merged_options {
	const struct heddle_spreads *spreads; /* or NULL: none are kept */
	const struct heddle_view *view;       /* that they are of */
	bool part;                            /* to be merged further: keeps what makes sums exact */
};

/*
 * Writes aside, then renames over `path`. Sorts the tree's distributions. Broken processes are not in the file. 0 or a
 * negative error; then nothing is at `path` that was not there before.
 */
int heddle_merged_write(
	const char *path, struct heddle_measurement *measurement, const struct heddle_merged_options *options);

#endif
