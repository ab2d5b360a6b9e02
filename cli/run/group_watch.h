/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Distinguishes signals that were sent to this process from those that were sent to its process group: a signal's
 * information is the same in both cases.
 */
#ifndef HEDDLE_CLI_RUN_GROUP_WATCH_H
#define HEDDLE_CLI_RUN_GROUP_WATCH_H

/* Start and stop a process in the group that only keeps its signals pending. Context: one thread. */
void heddle__group_watch_begin(void);
void heddle__group_watch_end(void);

/*
 * Returns 1 if the whole group has received that signal since the last call, 0 if it has not, a negative number if that
 * is not known. Context: signal, with all signals blocked.
 */
int heddle__group_watch_take(int number);

#endif
