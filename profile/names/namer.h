/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the places of one module from symbol tables and debug information, for naming.c. */
#ifndef HEDDLE_PROFILE_NAMER_H
#define HEDDLE_PROFILE_NAMER_H

#include "profile/names/naming.h"

/* Memory in blocks that never move, so pointers into it stay valid. */
struct profile_namer_block;

struct profile_namer {
	const struct profile_models *models;
	const struct profile_code_module *module;
	struct profile_intern texts;
	struct profile_intern function_keys;
	struct profile_function **functions; /* by key number */
	size_t function_count, function_capacity;
	struct profile_namer_block *blocks;
};

/* Names `count` places (ascending) of one module: fills names[i], except .place. */
int profile_namer_run(struct profile_namer *namer, struct profile_place_name *names, size_t count,
	struct profile_module_names *summary);
void profile_namer_free(struct profile_namer *namer);

#endif
