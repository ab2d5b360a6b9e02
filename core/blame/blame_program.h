/* SPDX-License-Identifier: BSD-3-Clause */
/* The scope that several processes of a program share. */
#ifndef HEDDLE_CORE_BLAME_PROGRAM_H
#define HEDDLE_CORE_BLAME_PROGRAM_H

#include <stddef.h>

/*
 * Shares the program scope with the other processes; `buckets_size`: size of its lock table in bytes. Context: any
 * thread, not a signal handler.
 */
void heddle__blame_share_program(size_t buckets_size);

/* Stops sharing the program scope. Context: any thread, signal. */
void heddle__blame_leave_program(void);

/* Resets the program scope. Context: the child's only thread, after a fork. */
void heddle__blame_program_after_fork(void);

#endif
