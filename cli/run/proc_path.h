/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of files in /proc, without the C library's streams and allocation. */
#ifndef HEDDLE_CLI_PROC_PATH_H
#define HEDDLE_CLI_PROC_PATH_H

#include <sys/types.h>

#define HEDDLE_PROC_PATH 32 /* bytes of a path */

/* Writes "/proc/PID/FILE"; `file` has at most 14 characters. Context: any, signal handlers too. */
void heddle__proc_path(char path[static HEDDLE_PROC_PATH], pid_t process, const char *file);

#endif
