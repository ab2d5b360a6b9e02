/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ranks of a program are often started by a launcher or a script. mpirun or upcrun, and the shells and small tools
 * that they call, are measured with the program, and would appear in every report.
 */
#ifndef HEDDLE_CLI_LAUNCHERS_H
#define HEDDLE_CLI_LAUNCHERS_H

#include "cli/output.h"
#include "cli/run/run_profiles.h"

/*
 * If some processes of the measurement are ranks (of any model), moves the profiles of the other processes to its
 * folder `launcher`, which reports do not read, removes them from `profiles`, and prints a line about it. Processes
 * with OpenMP, and those that a rank started, stay.
 */
void heddle__launchers_set_aside(const struct heddle_output *output, struct heddle_run_profiles *profiles);

#endif
