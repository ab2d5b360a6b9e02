/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs with annotations for other tools find these tools by environment variables. Here the variables are set to
 * Heddle's library, unless the user has set them.
 */
#ifndef HEDDLE_CLI_RUN_ANNOTATIONS_START_H
#define HEDDLE_CLI_RUN_ANNOTATIONS_START_H

#include <stdbool.h>

#include "cli/base/program.h"

/* True if annotations are among the models that the user measures. */
bool heddle__annotations_are_wanted(void);

/* Sets the variables for the program, in its process. `library` is the path of libheddle-annotations.so. */
void heddle__annotations_offer(const struct heddle_program *program, const char *library);

/*
 * Warns about each variable by which the user has named another tool, if the program contains the variable's name: the
 * annotations go to that tool. Context: before the program starts.
 */
void heddle__annotations_warn(const struct heddle_program *program);

#endif
