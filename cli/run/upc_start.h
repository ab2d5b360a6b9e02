/* SPDX-License-Identifier: BSD-3-Clause */
/* Passing the number of threads to a UPC program: each run-time system has its own way. */
#ifndef HEDDLE_CLI_UPC_START_H
#define HEDDLE_CLI_UPC_START_H

/*
 * Prepares the environment for `threads` (a number) UPC threads of the program at `path`, which may be a script that
 * starts one. Returns the program's arguments: `arguments`, or those with what GNU and Clang UPC's run-time systems
 * take out of them, where there is memory.
 */
char **heddle__upc_start(const char *path, char **arguments, const char *threads);

#endif
