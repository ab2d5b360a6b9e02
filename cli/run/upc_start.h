/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes the number of threads to a UPC program, as its run-time system requires. */
#ifndef HEDDLE_CLI_UPC_START_H
#define HEDDLE_CLI_UPC_START_H

/*
 * Prepares the environment for `threads` (a number) UPC threads of the program at `path`, which may be a script that
 * starts one. Returns the program's arguments: `arguments` or, if memory suffices, those with the arguments that GNU
 * and Clang UPC's run-time systems read and remove.
 */
char **heddle__upc_start(const char *path, char **arguments, const char *threads);

#endif
