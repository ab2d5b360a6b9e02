/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps of code that was generated at run time, which runtimes write for perf (profile/file/code_map.h). */
#ifndef HEDDLE_CLI_RUN_CODE_MAPS_H
#define HEDDLE_CLI_RUN_CODE_MAPS_H

/*
 * Copies the map in /tmp of each process of the measurement in `directory` beside its profile, if the process's user
 * wrote it. A map that cannot be copied is reported as missing. `since`: seconds since 1970; older files belong to
 * other processes.
 */
void heddle__code_maps_bring(const char *directory, long since);

#endif
