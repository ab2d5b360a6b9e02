/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of a module's symbol tables, by address. libdwfl's own look-up is linear. */
#ifndef HEDDLE_PROFILE_SYMBOL_INDEX_H
#define HEDDLE_PROFILE_SYMBOL_INDEX_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile_symbol {
	uint64_t low, high; /* [low, high); without a size of its own: up to its section's end */
	uint64_t reach;     /* the largest `high` of this and all before it in the list */
	const char *name;   /* the module's */
	uint8_t rank;       /* of several at one address the highest is shown */
};

struct profile_symbol_list {
	struct profile_symbol *at; /* by low, then rank */
	size_t count, capacity;
};

struct profile_symbol_index {
	struct profile_symbol_list sized, unsized;
};

/* 0 or -ENOMEM. The index is valid as long as the module is; close it in any case. */
int profile_symbol_index_open(struct profile_symbol_index *index, Dwfl_Module *module);
void profile_symbol_index_close(struct profile_symbol_index *index);

/* The innermost symbol that covers an address, one with a size before one without; NULL: none. */
const struct profile_symbol *profile_symbol_index_find(const struct profile_symbol_index *index, uint64_t address);

#endif
