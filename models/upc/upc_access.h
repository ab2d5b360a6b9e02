/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With HEDDLE_ACCESSES: which shared variable an access goes to, and the accesses of each thread by variable and owner.
 * The region of an access is opened at an OBJECT node, so that all it measures belongs to the variable, too.
 */
#ifndef HEDDLE_MODELS_UPC_ACCESS_H
#define HEDDLE_MODELS_UPC_ACCESS_H

#include "models/upc/upc_rows.h"

/* True if accesses are measured by variable. Set once. Context: init. */
extern bool heddle__upc_accesses;

/* Acts of blocking accesses, and of nonblocking accesses. */
heddle_upc_act heddle__upc_variable_start, heddle__upc_variable_end, heddle__upc_variable_atomic;
heddle_upc_act heddle__upc_variable_nb_start, heddle__upc_variable_nb_end, heddle__upc_variable_nb_atomic;

/* An access to an object of one thread. */
struct heddle_upc_accessed {
	struct heddle_partner *partner; /* NULL: unknown */
	uint64_t low, high;             /* range of address fields in this object; 0: unknown */
	const volatile uint64_t *now;   /* the range is valid while *now is `version`; NULL: always */
	uint64_t version;
	uint64_t elapsed; /* ticks that the access's region was charged */
};

/* Returns the access that was measured last; NULL: none. Context: owner thread, inside. */
const struct heddle_upc_accessed *heddle__upc_accessed(struct heddle_thread *thread);

#endif
