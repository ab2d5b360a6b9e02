/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measuring without a launcher: the program starts itself again in any case, so it can preload Heddle as `heddle run`
 * does.
 */
#ifndef HEDDLE_UPC_RUNTIME_TOOL_H
#define HEDDLE_UPC_RUNTIME_TOOL_H

#include <limits.h>
#include <stdbool.h>

/* Environment of measured thread processes, "NAME=value"; NULL: unchanged. */
struct hupc__tool {
	char *preload, *output;
	char preload_text[3 * PATH_MAX], output_text[2 * PATH_MAX];
};

/*
 * Returns true if the environment or the arguments request a measurement that is not set up yet. `program`: the
 * program's file. `job`: the measurement's directory is named after it. Context: before constructors.
 */
bool hupc__tool_wanted(struct hupc__tool *tool, const char *program, const char *job, char **argv, char **environment);

#endif
