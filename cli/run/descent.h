/* SPDX-License-Identifier: BSD-3-Clause */
/* Who started a process. */
#ifndef HEDDLE_CLI_DESCENT_H
#define HEDDLE_CLI_DESCENT_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * True if `process` is `ancestor`, or was started by it or by one that it started, and so on; false if that cannot be
 * read, or a process in between has ended. Context: any, signal handlers too.
 */
bool heddle__descends_from(pid_t process, pid_t ancestor);

/*
 * True if a process of that number exists that this command may have started: one in a process id namespace of its own
 * has the number of another process here, and an older one is not of this measurement.
 */
bool heddle__may_be_measured(pid_t process);

#endif
