/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured processes that outlive the program that started them: daemons, background jobs. */
#ifndef HEDDLE_CLI_SURVIVORS_H
#define HEDDLE_CLI_SURVIVORS_H

/*
 * Returns the number of processes that will write profiles to the directory with that absolute path: they have loaded
 * Heddle's library, and their environment names the directory. Waits, a second at most, for a process that is executing
 * a program, since it has no library for a moment. Processes of other users are not counted; without /proc, none is.
 */
int heddle__survivors(const char *directory);

#endif
