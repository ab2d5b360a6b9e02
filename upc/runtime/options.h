/* SPDX-License-Identifier: BSD-3-Clause */
/* Run-time options of a program: its first arguments or else the environment. */
#ifndef HEDDLE_UPC_RUNTIME_OPTIONS_H
#define HEDDLE_UPC_RUNTIME_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct hupc__options {
	int threads;
	int node_size;         /* threads on each node; 0: all */
	uint64_t segment_size; /* of each thread, in bytes */
	bool bind;             /* bind each thread to its own processors */
	int arguments;         /* number of arguments after argv[0] that were for the run-time system */
};

/* Reads the options; false after a message if one is invalid. Context: before constructors. */
bool hupc__options_read(struct hupc__options *options, int argc, char **argv, char **environment);

/* Parses a size with suffix K, M or G; 0: invalid. */
uint64_t hupc__options_size(const char *text);

const char *hupc__environment_value(char **environment, const char *name);

#endif
