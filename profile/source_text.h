/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the sources of a measured program. */
#ifndef HEDDLE_PROFILE_SOURCE_TEXT_H
#define HEDDLE_PROFILE_SOURCE_TEXT_H

#include "profile/measurement.h"

/*
 * The text of a file of that name, as a compiler told it: as it is; from the directory where a process was started; or
 * beside the program. NULL: it is not there, or larger than 64 MiB. Set `path`, unless NULL, to the name that it was
 * found by. Free both with free().
 */
char *profile_source_read(const struct profile_measurement *measurement, const char *file, char **path);

#endif
