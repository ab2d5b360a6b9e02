/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program is told about its threads: its own first arguments, else the environment. */
#ifndef HEDDLE_UPC_RUNTIME_OPTIONS_H
#define HEDDLE_UPC_RUNTIME_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct hupc__options {
	int threads;
	uint64_t segment_size; /* of each thread */
	bool bind;             /* each thread to processors of its own */
	int arguments;         /* how many of argv, behind argv[0], were for us */
};

/* Read them; false when one is wrong, with a line said. Context: before constructors. */
bool hupc__options_read(struct hupc__options *options, int argc, char **argv, char **environment);

/* A size with K, M or G; 0 when it isn't one. */
uint64_t hupc__options_size(const char *text);

const char *hupc__environment_value(char **environment, const char *name);

#endif
