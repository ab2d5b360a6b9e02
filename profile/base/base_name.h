/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of files, as reports show them. */
#ifndef HEDDLE_PROFILE_BASE_NAME_H
#define HEDDLE_PROFILE_BASE_NAME_H

/* Returns the last part of a path, or the path itself if it ends with '/'. Context: any. */
const char *profile_base_name(const char *path);

#endif
