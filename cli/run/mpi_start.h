/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a program may use a library whose calls are wrapped, so that Heddle's library is preloaded. Nothing is
 * executed.
 */
#ifndef HEDDLE_CLI_RUN_MPI_START_H
#define HEDDLE_CLI_RUN_MPI_START_H

#include <stdbool.h>

#include "cli/base/program.h"

/*
 * True if the user names the model, or if the user names no models and the program needs such a library. MPI and
 * OpenSHMEM may be loaded later, too, as Python does, by launchers of their programs and by programs that these start
 * (`launched`). A program that needs only a library of MPI does not use OpenSHMEM, even if an OpenSHMEM launcher
 * started it.
 */
bool heddle__wrapped_is_likely(const struct heddle_program *program, enum heddle_wrapped which, bool launched);

#endif
