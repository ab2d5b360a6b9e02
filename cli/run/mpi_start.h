/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a program may use a library whose calls are wrapped, so that Heddle's is preloaded. Nothing is executed here.
 */
#ifndef HEDDLE_CLI_RUN_MPI_START_H
#define HEDDLE_CLI_RUN_MPI_START_H

#include <stdbool.h>

#include "cli/base/program.h"

/*
 * True if the program needs such a library, unless the user measures other models; and if the user names the model. MPI
 * and OpenSHMEM may be loaded later, too, as Python does it: by launchers of their programs, and by what these started
 * (`launched`). A program that needs a library of MPI alone does not use OpenSHMEM, whatever started it.
 */
bool heddle__wrapped_is_likely(const struct heddle_program *program, enum heddle_wrapped which, bool launched);

#endif
