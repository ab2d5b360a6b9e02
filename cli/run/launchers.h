/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A UPC program is often started by a script. upcrun, and the shells, perl and small tools that it calls, are measured
 * with the program, and would appear in every report.
 */
#ifndef HEDDLE_CLI_LAUNCHERS_H
#define HEDDLE_CLI_LAUNCHERS_H

#include "cli/output.h"

/*
 * If some processes of the measurement have UPC threads, moves the profiles of the other processes to its folder
 * `launcher`, which reports do not read, and prints a line about it. Processes with OpenMP, and those that a UPC thread
 * started, stay.
 */
void heddle__launchers_set_aside(const struct heddle_output *output);

#endif
