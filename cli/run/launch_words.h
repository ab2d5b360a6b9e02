/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognizes launchers of MPI programs by name, also if another program starts them: a script, `timeout`, `sh -c`. */
#ifndef HEDDLE_CLI_RUN_LAUNCH_WORDS_H
#define HEDDLE_CLI_RUN_LAUNCH_WORDS_H

#include <stdbool.h>

#include "cli/base/program.h"
#include "cli/run/run_profiles.h"

/* True if the path's last part is the name of a launcher: "mpirun", "mpiexec.hydra", "srun". */
bool heddle__is_launcher_name(const char *path);

/*
 * True if a program may start a launcher: an argument contains its name, alone or in text for a shell; or the program,
 * a file among an interpreter's arguments, or a makefile in this directory is a text that contains one. Nothing is
 * executed.
 */
bool heddle__launch_words_are_in(const struct heddle_program *program, char *const arguments[]);

/* Prints a line if a launcher was measured, since its ranks ran without the library that measures MPI. */
void heddle__launch_words_say(const struct heddle_run_profiles *profiles);

#endif
