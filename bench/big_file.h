/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes large files of profiles: what the generators of measurements share. All functions abort without memory. */
#ifndef HEDDLE_BENCH_BIG_FILE_H
#define HEDDLE_BENCH_BIG_FILE_H

#include "heddle_profile.pb-c.h"

#include <stdint.h>
#include <stdio.h>

#define BIG_OFFSETS 16000 /* offsets of places are below */

/* A random generator of its own: the same measurement on every machine. A tree begins it again. */
uint64_t big_random(void);
void big_random_begin(uint64_t more); /* other numbers for another `more` */

void big_put_section(FILE *file, uint32_t type, const ProtobufCMessage *message);
void big_put_modules(FILE *file);

/* A place in one of the modules; the same for all processes. */
uint64_t big_place(void);
/* How far `node` is behind a node that may be above it, on paths about 30 deep: one of the last few, sometimes any. */
unsigned big_distance(unsigned node);

struct big_tree {
	unsigned count, filled;
	uint32_t *rows;
	int64_t *places;
	uint64_t before;
};

struct big_tree big_tree_begin(unsigned nodes);
/* The next node; of the first one, the root, nothing counts but its kind. */
void big_tree_add(struct big_tree *tree, unsigned distance, uint32_t kind, uint32_t event, uint64_t place);
void big_tree_put(FILE *file, struct big_tree *tree);

/* An argument that is a number. */
unsigned big_number(int argc, char **argv, int at, unsigned otherwise);

#endif
