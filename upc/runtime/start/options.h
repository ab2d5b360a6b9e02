/* SPDX-License-Identifier: BSD-3-Clause */
/* Run-time options of a program: its first arguments or else the environment. */
#ifndef HEDDLE_UPC_RUNTIME_OPTIONS_H
#define HEDDLE_UPC_RUNTIME_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct hupc__options {
	int threads;           /* 0: a launcher's ranks, whose number is not in the environment */
	int node_size;         /* threads on each node; 0: all */
	uint64_t segment_size; /* of each thread, in bytes */
	bool bind;             /* bind each thread to its own processors */
	int given, compiled;   /* the number of threads, by option and by the compiler; 0: none */
	int arguments;         /* number of arguments after argv[0] that were for the run-time system */
};

#define HUPC__NO_RANKS (-1)

/*
 * Reads the options. Returns false after a message if one is invalid. `ranks`: the number of a launcher's ranks, 0: not
 * known yet, HUPC__NO_RANKS: no launcher. Context: before constructors.
 */
bool hupc__options_read(struct hupc__options *options, int ranks, int argc, char **argv, char **environment);

/* Returns true if `-n` and the compilation allow the program to run with that many ranks; false after a message. */
bool hupc__options_fit(const struct hupc__options *options, int ranks);

#endif
