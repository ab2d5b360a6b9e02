/* SPDX-License-Identifier: BSD-3-Clause */
/* Naming the places of one module: the part of naming.c that asks symbol tables and debug information. */
#ifndef HEDDLE_PROFILE_NAMER_H
#define HEDDLE_PROFILE_NAMER_H

#include "profile/naming.h"

/* Blocks that never move, so that pointers into them stay true. */
struct heddle_namer_block;

struct heddle_namer {
	const struct heddle_code_module *module;
	struct heddle_intern texts;
	struct heddle_intern function_keys;
	struct heddle_function **functions; /* by key number */
	size_t function_count, function_capacity;
	struct heddle_namer_block *blocks;
};

/* Names `count` places (ascending) of one module; fills names[i] except .place. */
int heddle__namer_run(
	struct heddle_namer *namer, struct heddle_place_name *names, size_t count, struct heddle_module_names *summary);
void heddle__namer_free(struct heddle_namer *namer);

#endif
