/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the sources of a measured program. Which files these are is said by the measurement, which may come from
 * anyone: without a limit, a page made of it could contain any file that the reader of the page's maker may read.
 */
#ifndef HEDDLE_PROFILE_SOURCE_TEXT_H
#define HEDDLE_PROFILE_SOURCE_TEXT_H

#include "profile/file/measurement.h"

/*
 * Allows the files below a directory, for the rest of the process. Others are allowed if they are below the directory
 * of a module of the measurement that is on this machine, the measured one by its build id, and owned by the user or
 * root; to be embedded, the module's debug information must name them. To be seen or searched, those below the current
 * directory are allowed, too. Names are compared with links and ".." resolved. 0, or a negative errno: it is no
 * directory.
 */
int profile_source_allow(const char *directory);

enum profile_source_use {
	HEDDLE_SOURCE_EMBEDDED, /* the text becomes part of a file, which may be passed on */
	HEDDLE_SOURCE_SEEN,     /* the user looks at it */
	HEDDLE_SOURCE_SEARCHED, /* names and loops are looked up in it: also where such a module names it */
};

enum profile_source_status {
	HEDDLE_SOURCE_READ,
	HEDDLE_SOURCE_MISSING, /* not there, not a regular file, or larger than 64 MiB */
	HEDDLE_SOURCE_BARRED,  /* there, but not allowed */
};

struct profile_source {
	enum profile_source_status status;
	char *text;
	char *path; /* READ, BARRED: where it is, with links resolved */
};

/*
 * The text of a file of that name, as a compiler wrote it: as it is; from the directory where a process was started;
 * beside the program; or in an allowed directory. To be freed by profile_source_free.
 */
struct profile_source profile_source_find(
	const struct profile_measurement *measurement, const char *file, enum profile_source_use use);
void profile_source_free(struct profile_source *source);

/* Its text alone, to be freed with free(); NULL: it is missing or barred. */
char *profile_source_read(const struct profile_measurement *measurement, const char *file, enum profile_source_use use);

#endif
