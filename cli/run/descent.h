/* SPDX-License-Identifier: BSD-3-Clause */
/* Who started a process. */
#ifndef HEDDLE_CLI_DESCENT_H
#define HEDDLE_CLI_DESCENT_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Whether `process` is `ancestor`, or was started by it or by one that it started, and so on; false if that cannot be
 * read, or a process in between has ended. Context: any, signal handlers too.
 */
bool heddle__descends_from(pid_t process, pid_t ancestor);

#endif
