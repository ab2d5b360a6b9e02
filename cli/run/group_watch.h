/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Distinguishes signals that were sent to this process from those that were sent to its whole group: to who gets one,
 * both look the same.
 */
#ifndef HEDDLE_CLI_RUN_GROUP_WATCH_H
#define HEDDLE_CLI_RUN_GROUP_WATCH_H

/* From here on until the end, a process that does nothing is in the group. Context: one thread. */
void heddle__group_watch_begin(void);
void heddle__group_watch_end(void);

/*
 * 1: the whole group has got that signal since the last call; 0: it has not; negative: not known. Context: signal, with
 * all signals blocked.
 */
int heddle__group_watch_take(int number);

#endif
