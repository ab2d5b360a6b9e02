/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the sources of a measured program. The measurement, which may come from anyone, says which files these are:
 * without a limit, a page could be made to contain any file that the user who makes it may read.
 */
#ifndef HEDDLE_PROFILE_SOURCE_TEXT_H
#define HEDDLE_PROFILE_SOURCE_TEXT_H

#include "profile/file/measurement.h"

/*
 * Allows the files below a directory, for the rest of the process. Other files are allowed if they are below the
 * directory of a module of the measurement that is present on this system (with the measured build id) and owned by the
 * user or root; to be embedded, they must also be named by the module's debug information. To be seen or searched,
 * files below the current directory are allowed, too. Paths are compared with links and ".." resolved. Returns 0, or a
 * negative errno if it is not a directory.
 */
int profile_source_allow(const char *directory);

enum profile_source_use {
	HEDDLE_SOURCE_EMBEDDED, /* the text becomes part of a file, which may be passed on */
	HEDDLE_SOURCE_SEEN,     /* the text is shown to the user */
	HEDDLE_SOURCE_SEARCHED, /* names and loops are looked up in it; such a module's debug information is enough */
};

enum profile_source_status {
	HEDDLE_SOURCE_READ,
	HEDDLE_SOURCE_MISSING, /* does not exist, is not a regular file, or is larger than 64 MiB */
	HEDDLE_SOURCE_BARRED,  /* exists, but is not allowed */
};

struct profile_source {
	enum profile_source_status status;
	char *text;
	char *path; /* READ, BARRED: where it is, with links resolved */
};

/*
 * Returns the text of a file whose name a compiler wrote. Searched for under that name; in the directory where a
 * process was started; beside the program; and in the allowed directories. Free with profile_source_free.
 */
struct profile_source profile_source_find(
	const struct profile_measurement *measurement, const char *file, enum profile_source_use use);
void profile_source_free(struct profile_source *source);

/* Returns only the text, to be freed with free(); NULL: it is missing or barred. */
char *profile_source_read(const struct profile_measurement *measurement, const char *file, enum profile_source_use use);

#endif
