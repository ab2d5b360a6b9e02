/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads files of the kernel about a thread of this process. */
#ifndef HEDDLE_CORE_TASK_FILE_H
#define HEDDLE_CORE_TASK_FILE_H

#include <stddef.h>
#include <sys/types.h>

/* Reads the first bytes of /proc/self/task/TID/NAME; "" if it cannot be read. Context: any thread, signal. */
void heddle__read_task_file(pid_t tid, const char *name, char *text, size_t size);

#endif
