/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a process descends from another one. */
#ifndef HEDDLE_CLI_DESCENT_H
#define HEDDLE_CLI_DESCENT_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * True if `process` is `ancestor`, or descends from it; false if that cannot be read, or if a process in between has
 * ended. Context: any, signal handlers too.
 */
bool heddle__descends_from(pid_t process, pid_t ancestor);

/*
 * True if a process of that number exists that this command may have started. A process in its own process id namespace
 * has the number of another process here, and an older process does not belong to this measurement.
 */
bool heddle__may_be_measured(pid_t process);

#endif
