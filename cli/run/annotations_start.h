/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs with annotations for other tools name these tools by environment variables: here Heddle's library is named
 * where the user has named none.
 */
#ifndef HEDDLE_CLI_RUN_ANNOTATIONS_START_H
#define HEDDLE_CLI_RUN_ANNOTATIONS_START_H

#include <stdbool.h>

#include "cli/base/program.h"

/* Returns true if annotations are among the models that the user measures. */
bool heddle__annotations_are_wanted(void);

/* Sets the variables for the program, in its process. `library` is the path of libheddle-annotations.so. */
void heddle__annotations_offer(const struct heddle_program *program, const char *library);

/*
 * Warns of each variable by which the user has named another tool, if the program mentions it: the annotations go to
 * that tool. Context: before the program starts.
 */
void heddle__annotations_warn(const struct heddle_program *program);

#endif
