/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The accesses of a thread to shared memory, by variable and owner of the memory: a table for each thread, filled in by
 * a model, written as Partners of the file format. This code does not depend on threads; struct heddle_thread has one
 * table. Rows are never moved.
 */
#ifndef HEDDLE_CORE_PARTNERS_H
#define HEDDLE_CORE_PARTNERS_H

#include <stdint.h>

#include "core/threads/rows.h"

struct heddle_partner {
	uint32_t variable; /* number of a string + 1; 0: unknown */
	uint32_t owner;    /* a rank */
	uint32_t side;     /* enum heddle_trace_side */
	uint64_t gets, puts, bytes_got, bytes_put;
	uint64_t ticks; /* elapsed time in these accesses */
};

/* A zeroed struct is an empty table. */
struct heddle_partners {
	struct heddle_rows rows;
};

/* Returns the row of a variable and owner, added if necessary; NULL: no memory. Context: owner thread, inside. */
struct heddle_partner *heddle__partner_find(struct heddle_partners *partners, uint32_t variable, uint32_t owner);

/* The row with that number; NULL: there is none. Context: any thread, signal. */
struct heddle_partner *heddle__partner_at(const struct heddle_partners *partners, uint32_t number);

/* Sets all values except `side` to 0. Context: the child's only thread, after a fork. */
void heddle__partners_clear(struct heddle_partners *partners);

#endif
