/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes large profile files; shared by the generators of measurements. All functions abort if memory is exhausted. */
#ifndef HEDDLE_BENCH_BIG_FILE_H
#define HEDDLE_BENCH_BIG_FILE_H

#include "heddle_profile.pb-c.h"

#include <stdint.h>
#include <stdio.h>

#define BIG_OFFSETS 16000 /* offsets of places are less */

/* A random generator that gives the same measurement on every machine. big_tree_begin() restarts it. */
uint64_t big_random(void);
void big_random_begin(uint64_t more); /* other numbers for each `more` */

void big_put_section(FILE *file, uint32_t type, const ProtobufCMessage *message);
void big_put_modules(FILE *file);

/* Returns a place in one of the modules; the places are equal in all processes. */
uint64_t big_place(void);
/* Returns the distance from `node` back to its parent, on paths of about 30 nodes: one of the last few, or any. */
unsigned big_distance(unsigned node);

struct big_tree {
	unsigned count, filled;
	uint32_t *rows;
	int64_t *places;
	uint64_t before;
};

struct big_tree big_tree_begin(unsigned nodes);
/* Adds the next node; for the first one, the root, only the kind counts. */
void big_tree_add(struct big_tree *tree, unsigned distance, uint32_t kind, uint32_t event, uint64_t place);
void big_tree_put(FILE *file, struct big_tree *tree);

/* Returns a numeric argument, or `otherwise` if it is missing. */
unsigned big_number(int argc, char **argv, int at, unsigned otherwise);

#endif
