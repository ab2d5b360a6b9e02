/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of code that a program made at run time: the map that runtimes write for perf to /tmp/perf-PID.map, with a line
 * "START SIZE NAME" (hexadecimal) for each function. `heddle run` copies it beside the profile.
 */
#ifndef HEDDLE_PROFILE_CODE_MAP_H
#define HEDDLE_PROFILE_CODE_MAP_H

#include "profile/file/process_decode.h"

/*
 * Gives frames at addresses in no module the names of the map, if there is one: NAME.map beside NAME.heddle, or, on the
 * host of the process, its file in /tmp. A map that can't be read is ignored. Returns 0 or -ENOMEM.
 */
int profile_code_map_apply(struct profile_decoded *decoded, const char *profile_path);

/* Returns the path of a profile's map, allocated; NULL: no memory, or `profile_path` is not the name of a profile. */
char *profile_code_map_path(const char *profile_path);

#endif
