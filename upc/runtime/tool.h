/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring without a launcher: the program starts itself anyhow, so it can take Heddle along as `heddle run` would. */
#ifndef HEDDLE_UPC_RUNTIME_TOOL_H
#define HEDDLE_UPC_RUNTIME_TOOL_H

#include <limits.h>
#include <stdbool.h>

/* Environment of thread processes that are measured, "NAME=value"; NULL: as it is. */
struct hupc__tool {
	char *preload, *output;
	char preload_text[3 * PATH_MAX], output_text[2 * PATH_MAX];
};

/*
 * Whether the environment or the arguments ask for a measurement, and nobody has provided for it yet. `program` is the
 * program's file. Context: before constructors.
 */
bool hupc__tool_wanted(struct hupc__tool *tool, const char *program, char **argv, char **environment);

#endif
